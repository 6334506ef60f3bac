// After the quote: its customer chooses when the work is done. The visit is a booking of what the quote agrees on.
import { type Actor, refuseOwnBusiness } from '../../../../auth/accounts/verbs.ts'
import { PUBLIC } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { minuteOfDay } from '../../../../platform/clock/dates.ts'
import { currentTraceparent } from '../../../../platform/telemetry/trace-context.ts'
import type { Availability, AvailabilityQuery } from '../../../calendar/availability/schemas.ts'
import { getOpenSlots } from '../../../calendar/availability/verbs.ts'
import { dateOutOfRange, slotUnavailable } from '../../../booking/bookings/rules/bookable.ts'
import { type VisitRow, insertVisit } from '../queries/visits.ts'
import { findVisit } from '../queries/visits.sql.ts'
import { viewQuote } from './customer-link.ts'

/**
 * What comes after an accepted quote. `choose`: the customer chooses a time. `booked`: the next visit is the booking.
 * `by_phone`: the pro agrees on a time with the customer. Otherwise the state of the job. `canCancel`: the customer can cancel the
 * work itself. `canChoose`: the customer can choose the time of another visit.
 */
export type NextStep =
  | { step: 'choose' | 'by_phone'; canCancel: boolean }
  | { step: 'in_progress'; canChoose: boolean }
  | { step: 'completed' }
  | { step: 'cancelled'; by: 'customer' | 'pro' | null }
  | { step: 'booked'; bookingId: string }

/** What comes after a quote; undefined before it is accepted. */
export async function findNextStep(ctx: Ctx, { quoteId }: { quoteId: string }): Promise<NextStep | undefined> {
  const visit = await findVisit(ctx, { quoteId, now: ctx.clock.now() })
  return visit && stepOf(visit)
}

function stepOf({ jobStatus, minutes, bookingId, isOpen, hasBegun, canCancel, cancelledBy }: VisitRow): NextStep {
  if (jobStatus === 'cancelled') return { step: jobStatus, by: cancelledBy }
  if (jobStatus === 'completed') return { step: jobStatus }
  const isAtWork = jobStatus === 'in_progress' && hasBegun
  if (isOpen && bookingId !== null && !isAtWork) return { step: 'booked', bookingId }
  if (jobStatus === 'in_progress') return { step: jobStatus, canChoose: minutes !== null && !isOpen }
  return { step: minutes === null ? 'by_phone' : 'choose', canCancel }
}

/** Whether the customer can choose the time of a visit now. */
export const isTimeOpen = (next: NextStep): boolean =>
  next.step === 'choose' || (next.step === 'in_progress' && next.canChoose)

/** The open times for the visit of a link's quote. Throws quote_not_found and visit_not_possible. */
export async function listVisitTimes(
  ctx: Ctx,
  { token, ...range }: { token: string } & Pick<AvailabilityQuery, 'date' | 'days'>,
): Promise<Availability> {
  const { id, freeCancellationHours } = await viewQuote(ctx, { token })
  const visit = await findVisit(ctx, { quoteId: id, now: ctx.clock.now() })
  if (!visit || visit.minutes === null || !isTimeOpen(stepOf(visit))) throw notPossible()
  const purpose = { visitMinutes: visit.minutes, freeCancellationHours }
  return await getOpenSlots(ctx.as(PUBLIC), { ...range, ...purpose, pro: visit.professionalId })
}

/**
 * Books the visit of a link's quote for the account of the site. Returns the id of its booking, also when the quote has an
 * open visit already. Throws quote_not_found, own_business, invalid_transition, validation_failed (date) and slot_unavailable.
 */
export async function bookVisit(
  ctx: Ctx,
  { site, actor, token, date, time }: { token: string; site: { id: string }; actor: Actor; date: string; time: string },
): Promise<string> {
  const { ids, clock } = ctx
  const { id: quoteId, professional } = await viewQuote(ctx, { token })
  await refuseOwnBusiness(ctx.as(actor), { professionalId: professional.id })
  const { outcome, visitId } = await insertVisit(ctx, {
    professionalId: professional.id,
    quoteId,
    date,
    minute: minuteOfDay(time),
    bookingId: ids.uuid(),
    confirmationCode: ids.confirmationCode(),
    eventIds: [ids.uuid(), ids.uuid()],
    traceparent: currentTraceparent() ?? null,
    accountId: site.id,
    now: clock.now(),
  })
  if (outcome === 'date_out_of_range') throw dateOutOfRange('body.date')
  if (outcome === 'slot_unavailable') throw slotUnavailable(null)
  if (visitId === null) throw notPossible()
  return visitId
}

const notPossible = (): AppError =>
  new AppError(
    'invalid_transition',
    'A time can be chosen once the quote is accepted, until the work is over, and for one visit at a time.',
  )
