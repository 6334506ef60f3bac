// The pros whose work a mixed load is.
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { type BookingClient, openBookingClient } from './booking-client.ts'
import type { MixedStack } from './mixed-stack.ts'
import { ctxOf } from '../../src/ctx.ts'

const PROS = 12
const DEPOSIT_PERCENTAGE = 20

export interface LoadPro {
  readonly id: string
  readonly serviceId: string
  readonly key: string
  readonly booking: BookingClient
  /** The next hour that is not booked yet. */
  hour: number
  /** What search shows: undefined while the answer to the last change is unknown. */
  description: string | undefined
  isChanging: boolean
}

/** Every second pro asks for a deposit. */
export async function openLoadPros({ primary, deps }: MixedStack): Promise<LoadPro[]> {
  const create = async (ownerEmail: string, scopes: Parameters<typeof createKey>[1]['scopes']) =>
    await createKey(ctxOf(deps), { ownerEmail, scopes, name: 'load', rateMultiplier: 100_000 })
  const developer = await create('dev@example.com', PRESETS['full-server'])
  const pros: LoadPro[] = []
  for (let n = 0; n < PROS; n++) {
    const booking = await openBookingClient(primary.url, [], developer)
    const { id, serviceId } = booking.pro
    await primary.sql`
      update professionals set plan = 'verified', deposit_required = ${n % 2 === 0},
        deposit_percentage = ${n % 2 === 0 ? DEPOSIT_PERCENTAGE : null}
      where id = ${id}`
    await primary.sql`update professional_services set base_price_cents = 25000 where professional_id = ${id}`
    const scopes = [...PRESETS['pro-dashboard'], ...PRESETS['agent-tools']]
    const { secret: key } = await create(`${id}@example.com`, scopes)
    pros.push({ id, serviceId, key, booking, hour: 0, description: undefined, isChanging: false })
  }
  return pros
}
