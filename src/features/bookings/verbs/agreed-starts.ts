// Bookings keep the local time that was agreed when the data of their time zone changes.
import type { Deps } from '../../../deps.ts'
import { type Drifted, moveToAgreedStart, selectDrifted, selectProsWithDrifted } from '../queries/agreed-starts.ts'
import { lockSchedule } from '../queries/changes.ts'
import { emitBookingEvent, getBookingForUpdate } from './transitions.ts'

export type { Drifted }

export interface KeptStart extends Drifted {
  /** `drifted` without a move; `conflict`: another booking has the agreed time, and this one stays where it is. */
  outcome: 'moved' | 'conflict' | 'drifted'
}

/** Pros that one statement looks at: some milliseconds by the index of their bookings. */
const BATCH = 1000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Moves the bookings to come that no longer start at the agreed local time, and tells both sides of each by
 * booking.rescheduled. With `isPlan` it only says which. One transaction per pro: it can be repeated after an interruption.
 */
export async function* keepAgreedStarts(
  deps: Pick<Deps, 'write' | 'clock' | 'ids'>,
  { isPlan = false }: { isPlan?: boolean } = {},
): AsyncGenerator<KeptStart> {
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const { pros, last } = await selectProsWithDrifted(deps.write, { after, limit: BATCH, now: deps.clock.now() })
    for (const professionalId of pros)
      yield* isPlan ? await listDrifted(deps, professionalId) : await moveDrifted(deps, professionalId)
    after = last
  }
}

const listDrifted = async ({ write, clock }: Pick<Deps, 'write' | 'clock'>, professionalId: string) =>
  (await selectDrifted(write, professionalId, clock.now())).map((booking) => ({
    ...booking,
    outcome: 'drifted' as const,
  }))

const moveDrifted = (
  { write, clock, ids }: Pick<Deps, 'write' | 'clock' | 'ids'>,
  professionalId: string,
): Promise<KeptStart[]> =>
  write.begin('keepAgreedStarts', async (tx) => {
    await lockSchedule(tx, professionalId)
    const now = clock.now()
    const kept: KeptStart[] = []
    for (const drifted of await selectDrifted(tx, professionalId, now)) {
      const booking = await getBookingForUpdate(tx, 'system', drifted.id, now)
      const moved = await moveToAgreedStart(tx, drifted.id, now)
      kept.push({ ...drifted, outcome: moved.outcome })
      if (moved.outcome === 'moved')
        await emitBookingEvent(tx, ids.uuid(), now, { booking, action: 'reschedule', saved: moved })
    }
    return kept
  })
