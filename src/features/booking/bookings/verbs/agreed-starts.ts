// Bookings keep the local time that was agreed when the data of their time zone changes.
import type { Ctx } from '../../../../ctx.ts'
import { type Drifted, rescheduleToAgreedStart, selectProsWithDrifted } from '../queries/agreed-starts.ts'
import { selectDrifted } from '../queries/agreed-starts.sql.ts'
import { lockSchedule } from '../queries/changes.sql.ts'
import { emitBookingEvent, getBookingForUpdate } from './transitions.ts'

export type { Drifted }

export interface KeptStart extends Drifted {
  /** `drifted` only listed; `conflict`: another booking has the agreed time, and this one stays where it is. */
  outcome: 'rescheduled' | 'conflict' | 'drifted'
}

/** Pros that one statement looks at: some milliseconds by the index of their bookings. */
const BATCH = 1000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Reschedules the bookings to come that no longer start at the agreed local time, and tells both sides of each by
 * booking.rescheduled. With `isPlan` it only says which. One transaction per pro: it can be repeated after an interruption.
 */
export async function* keepAgreedStarts(
  ctx: Ctx,
  { isPlan = false }: { isPlan?: boolean } = {},
): AsyncGenerator<KeptStart> {
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const { pros, last } = await selectProsWithDrifted(ctx, { after, limit: BATCH, now: ctx.clock.now() })
    for (const professionalId of pros)
      yield* isPlan ? await listDrifted(ctx, professionalId) : await rescheduleDrifted(ctx, professionalId)
    after = last
  }
}

const listDrifted = async (ctx: Ctx, professionalId: string) =>
  (await selectDrifted(ctx, { professionalId, now: ctx.clock.now() })).map((booking) => ({
    ...booking,
    outcome: 'drifted' as const,
  }))

const rescheduleDrifted = (ctx: Ctx, professionalId: string): Promise<KeptStart[]> =>
  ctx.transaction('keepAgreedStarts', async (ctx) => {
    await lockSchedule(ctx, { professionalId })
    const now = ctx.clock.now()
    const kept: KeptStart[] = []
    for (const drifted of await selectDrifted(ctx, { professionalId, now })) {
      const booking = await getBookingForUpdate(ctx, { access: 'system', id: drifted.id, now })
      const rescheduled = await rescheduleToAgreedStart(ctx, { id: drifted.id, now })
      kept.push({ ...drifted, outcome: rescheduled.outcome })
      if (rescheduled.outcome === 'rescheduled')
        await emitBookingEvent(ctx, {
          booking,
          action: 'reschedule',
          saved: rescheduled,
          id: ctx.ids.uuid(),
          createdAt: now,
        })
    }
    return kept
  })
