// Mutants of messages: how many a recipient gets, and what the digest tells.
import type { Mutant } from './mutant.ts'

const CLAIM = 'sql/functions/claim_messages.sql'
const JOIN = 'sql/functions/join_digest.sql'
const DIGEST_TEST = 'test/features/messages/messages-digest.test.ts'

export const MESSAGES: readonly Mutant[] = [
  {
    guarantee: 'Cancellations have an hourly number of their own.',
    file: CLAIM,
    from: '          and (s.kind = any (reserved_kinds)) = (d.kind = any (reserved_kinds)) and',
    to: '          and',
    killedBy: DIGEST_TEST,
  },
  {
    guarantee: 'Sign-in codes leave the hourly number of other messages alone.',
    file: CLAIM,
    from: "          and s.kind <> all (urgent_kinds) and s.kind <> 'digest'\n",
    to: '',
    killedBy: DIGEST_TEST,
  },
  {
    guarantee: 'A recipient gets one digest an hour.',
    file: JOIN,
    from: "max(d.send_at) + interval '1 hour'",
    to: "max(d.send_at) + interval '1 minute'",
    killedBy: DIGEST_TEST,
  },
  {
    guarantee: 'A claimed digest takes nothing more.',
    file: JOIN,
    from: "m.kind = 'digest' and m.status = 'pending' and m.attempts = 0 for update;",
    to: "m.kind = 'digest' and m.status = 'pending' order by m.id limit 1 for update;",
    killedBy: DIGEST_TEST,
  },
  {
    guarantee: 'What waits behind a message of a digest joins it at once.',
    file: JOIN,
    from: 'or (m.recipient = message.recipient and',
    to: 'or (m.id < 0 and',
    killedBy: DIGEST_TEST,
  },
  {
    guarantee: 'What is being sent joins no digest.',
    file: JOIN,
    from: "and m.status = 'pending' and m.attempts = 0 and m.send_at <= as_of",
    to: "and m.status = 'pending' and m.send_at <= as_of",
    killedBy: DIGEST_TEST,
  },
  {
    guarantee: 'Only what is like an excess message joins the digest with it.',
    file: JOIN,
    from: '      and m.kind = any (like_kinds) and',
    to: '      and',
    killedBy: DIGEST_TEST,
  },
  {
    guarantee: 'A digest leaves out bookings that were cancelled meanwhile.',
    file: 'sql/functions/message_data.sql',
    from: "(b.status = 'cancelled' and message.kind",
    to: "(b.status = 'unknown' and message.kind",
    killedBy: DIGEST_TEST,
  },
]
