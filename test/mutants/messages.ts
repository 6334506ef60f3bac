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
    guarantee: 'A digest leaves out bookings that were cancelled meanwhile.',
    file: 'sql/functions/message_data.sql',
    from: "(b.status = 'cancelled' and message.kind",
    to: "(b.status = 'unknown' and message.kind",
    killedBy: DIGEST_TEST,
  },
]
