// Mutants of calendars and messages.
import type { Mutant } from './mutant.ts'

const RENDERING = 'test/features/messages/messages-rendering.test.ts'
const FEEDS = 'test/features/calendar-feeds/calendar-feeds.test.ts'
const ISOLATED = 'test/platform/ics/isolated-reader.test.ts'
const READERS = 'test/workers/actors/sync-calendars.test.ts'
const INVITATIONS = 'test/features/messages/messages-calendar.test.ts'

export const CALENDARS: readonly Mutant[] = [
  {
    guarantee: 'The feed of a member who left ends.',
    file: 'src/features/calendar-feeds/queries.ts',
    from: ' and (f.member_id is null or m.active)`',
    to: '`',
    killedBy: FEEDS,
  },
  {
    guarantee: 'A member’s feed has the visits of that member only.',
    file: 'src/features/calendar-feeds/queries.ts',
    from: 'and (${memberId}::uuid is null or b.assigned_member_id = ${memberId})',
    to: 'and (${memberId}::uuid is null or true)',
    killedBy: FEEDS,
  },
  {
    guarantee: 'The token of a feed is stored as a hash only.',
    file: 'src/features/calendar-feeds/verbs.ts',
    from: 'memberId, tokenHash: hashToken(token), now',
    to: "memberId, tokenHash: Buffer.from(token, 'base64url'), now",
    killedBy: FEEDS,
  },
  {
    guarantee: 'The end of a hold is one version in calendars, before and after it is recorded.',
    file: 'src/features/calendar-feeds/queries.ts',
    from: 'b.event_sequence + (v.status <> b.status)::int',
    to: 'b.event_sequence',
    killedBy: FEEDS,
  },
  {
    guarantee: 'The file of a code does not say where the visit is.',
    file: 'src/features/calendar-feeds/verbs.ts',
    from: 'customerEntry({ ...booking, address: null }, url)',
    to: 'customerEntry(booking, url)',
    killedBy: FEEDS,
  },
  {
    guarantee: 'A cancellation takes a visit out of calendars.',
    file: 'src/features/calendar-feeds/ics.ts',
    from: "entry.status === 'cancelled' ? 'CANCEL' : 'REQUEST'",
    to: "'REQUEST'",
    killedBy: INVITATIONS,
  },
  {
    guarantee: 'A visit that was never confirmed is in no calendar.',
    file: 'src/features/messages/templates/render.ts',
    from: '  if (!booking.wasConfirmed) return []\n',
    to: '',
    killedBy: INVITATIONS,
  },
  {
    guarantee: 'An address that could be a link is not sent to the customer.',
    file: 'src/features/bookings/texts.ts',
    from: "looksLikeLink(text) ? '' : text",
    to: 'text',
    killedBy: RENDERING,
  },
  {
    guarantee: 'A reason that was typed in with the e-mail address of someone else is not sent to it.',
    file: 'src/features/messages/templates/bookings.ts',
    from: 'byCustomer ? { ...booking, cancellationReason: null } : booking',
    to: 'booking',
    killedBy: RENDERING,
  },
  {
    guarantee: 'One cannot unsubscribe from facts of a booking.',
    file: 'src/features/messages/templates/render.ts',
    from: 'MESSAGE_KINDS[kind].isEssential ? undefined : options.unsubscribeUrl',
    to: 'options.unsubscribeUrl',
    killedBy: RENDERING,
  },
  {
    guarantee: 'A calendar that goes on beyond its CPU time is killed.',
    file: 'src/platform/ics/isolated-reader.ts',
    from: 'usage.cpuMs > limitMs || ',
    to: '',
    killedBy: ISOLATED,
    tests: 'in the middle of an event',
    hangs: true,
  },
  {
    guarantee: 'A calendar that takes too much memory is killed.',
    file: 'src/platform/ics/isolated-reader.ts',
    from: 'usage.bytes > MAX_BYTES',
    to: 'usage.bytes > Infinity',
    killedBy: ISOLATED,
    tests: 'ever more memory',
    hangs: true,
  },
  {
    guarantee: 'The process that expands calendars has no secrets.',
    file: 'src/platform/ics/isolated-reader.ts',
    from: '      env: {},\n',
    to: '',
    killedBy: ISOLATED,
    tests: 'nothing of the environment',
  },
  {
    guarantee: 'A usual calendar does not wait for hostile ones to end.',
    file: 'src/platform/ics/isolated-reader.ts',
    from: 'limitMs: QUICK_MS',
    to: 'limitMs',
    killedBy: ISOLATED,
    tests: 'does not wait for hostile ones',
    hangs: true,
  },
  {
    guarantee: 'A property that no program writes is not given to the library.',
    file: 'src/platform/ics/components.ts',
    from: 'lines.length === MAX_LINES || !isUsual(property, line)',
    to: 'false',
    killedBy: 'test/platform/ics/busy-time.test.ts',
  },
  {
    guarantee: 'One calendar of a pro is read at a time, so that no other pro waits for it.',
    file: 'sql/functions/claim_calendar.sql',
    from: 'next_read_at = until, reading_until = until',
    to: 'next_read_at = until, reading_until = null',
    killedBy: READERS,
    tests: 'delays no other pro|have their turn',
  },
  {
    guarantee: 'Pros whose calendars are due have their turn.',
    file: 'src/features/imported-calendars/queries/readings.ts',
    from: 'next_read_at = case when c.next_read_at < ${now.toISOString()} then ${now.toISOString()} else c.next_read_at end',
    to: 'next_read_at = c.next_read_at',
    killedBy: READERS,
    tests: 'have their turn',
  },
  {
    guarantee: 'A calendar rests in proportion to the CPU time that it took.',
    file: 'src/features/imported-calendars/verbs/read-calendar.ts',
    from: 'const restMs = result.cpuMs / CPU_SHARE',
    to: 'const restMs = 0 * result.cpuMs * CPU_SHARE',
    killedBy: READERS,
    tests: 'rests in proportion',
  },
]
