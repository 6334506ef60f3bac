// `hearth zones update`: after an update of PostgreSQL's time zone data, pros have zones that exist, and bookings keep the local
// time that was agreed.
import { type KeptStart, keepAgreedStarts } from '../features/booking/bookings/verbs/agreed-starts.ts'
import { announceZones, listLostZones, replaceZonesLost } from '../features/calendar/time-zones/verbs.ts'
import { withDeps } from './command-deps.ts'

/** A statement looks at the bookings of a thousand pros. */
const LIMIT_MS = 600_000

/** Exit status 1 when a booking could not be rescheduled. */
export const runZonesUpdate = ({ plan: isPlan = false }: { plan?: boolean }) =>
  withDeps(async (ctx) => {
    const counts = { rescheduled: 0, conflict: 0, drifted: 0 }
    const lost = await listLostZones(ctx)
    if (lost.length > 0) console.log(`PostgreSQL no longer has ${lost.join(', ')}.`)
    if (!isPlan) {
      const moved = lost.length > 0 ? await replaceZonesLost(ctx) : []
      if (moved.length > 0) console.log(`Pros that now have the zone of their city: ${moved.length}.`)
      await announceZones(ctx)
    }
    for await (const kept of keepAgreedStarts(ctx, { isPlan })) {
      counts[kept.outcome]++
      console.log(lineOf(kept))
    }
    console.log(
      isPlan
        ? `${counts.drifted} bookings no longer start at the local time that was agreed.`
        : `${counts.rescheduled} bookings moved to the local time that was agreed; both sides are told.`,
    )
    if (counts.conflict === 0) return
    console.log(`${counts.conflict} bookings stay: another booking has their time. Agree on another with the customer.`)
    process.exitCode = 1
  }, LIMIT_MS)

/** As the lines call it. */
const LABELS: Record<KeptStart['outcome'], string> = { rescheduled: 'moved', conflict: 'conflict', drifted: 'drifted' }

const lineOf = ({ confirmationCode, localStart, timeZone, startsAt, agreedStart, outcome }: KeptStart): string =>
  `${LABELS[outcome].padEnd(8)} ${confirmationCode}  ${localStart} ${timeZone}  ${startsAt} → ${agreedStart}`
