// A pro proposes another time for a booking; its customer agrees or declines.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import {
  declineProposedTime,
  findProfessionalOf,
  findProposedStart,
  rescheduleTo,
  proposeBookingTime,
} from '../queries/changes.ts'
import { lockSchedule } from '../queries/changes.sql.ts'
import type { BookingChanged, ProAction, ProposedTimeAnswer } from '../action-schemas.ts'
import { type BookingCustomer, customerAccess, rescheduleRefusal, startOf } from './customer-actions.ts'
import { checkAction, emitBookingEvent, getBookingForUpdate } from './transitions.ts'

/**
 * Proposes another time for a booking of the pro, in place of an earlier proposal. It must be free now, but is not held.
 * Emits no event. Throws booking_not_found, invalid_transition, validation_failed (start) and slot_unavailable.
 */
export async function proposeTime(
  ctx: TxCtx,
  {
    professionalId,
    id,
    message,
    ...time
  }: { professionalId: string; id: string } & Pick<ProAction, 'date' | 'time' | 'startDateTime' | 'message'>,
): Promise<void> {
  const start = startOf(time)
  await lockSchedule(ctx, { professionalId })
  const now = ctx.clock.now()
  checkAction(await getBookingForUpdate(ctx, { access: { professionalId }, id, now }), 'propose', now)
  const row = await proposeBookingTime(ctx, { start, message: message ?? null, now, baseUrl: ctx.config.baseUrl, id })
  const field = 'date' in start ? 'body.date' : 'body.startDateTime'
  if (row.outcome === 'unchanged') throw invalidField(field, 'must differ from the time that the booking has')
  if (row.outcome !== 'proposed') throw rescheduleRefusal(row, field)
}

/**
 * Answers the time that the pro proposes. Agreeing reschedules the booking, declining leaves it as it is. The customer keeps
 * the right to cancel free of charge, because the pro asked for the change. Throws booking_not_found, no_proposed_time,
 * invalid_transition, and slot_unavailable if the time was taken in the meantime.
 */
export async function answerProposedTime(
  ctx: Ctx<BookingCustomer>,
  { id, ...input }: { id: string } & ProposedTimeAnswer,
): Promise<BookingChanged> {
  const { clock, config, ids } = ctx
  const access = customerAccess(ctx.actor)
  const operation = { accountId: ctx.actor.accountId, operation: 'answerProposedTime', request: { id, ...input } }
  return await runIdempotently(ctx, operation, async (ctx) => {
    const professionalId = await findProfessionalOf(ctx, { access, id })
    if (professionalId) await lockSchedule(ctx, { professionalId })
    const now = clock.now()
    const locked = await getBookingForUpdate(ctx, { access, id, now })
    const instant = await findProposedStart(ctx, { id })
    if (instant === undefined)
      throw new AppError('no_proposed_time', 'The pro proposes no other time for this booking.')
    if (input.answer === 'decline') return { success: true, booking: await declineProposedTime(ctx, { id, now }) }
    checkAction(locked, 'agree', now)
    const isLate = locked.freeCancellationUntil === null
    const rescheduled = await rescheduleTo(ctx, { start: { instant }, isLate, now, baseUrl: config.baseUrl, id })
    if (rescheduled.outcome === 'unchanged') return { success: true, booking: rescheduled.booking }
    if (rescheduled.outcome !== 'rescheduled') throw rescheduleRefusal(rescheduled, 'body.answer')
    await emitBookingEvent(ctx, {
      booking: locked,
      action: 'agree',
      saved: rescheduled,
      id: ids.uuid(),
      createdAt: now,
    })
    return { success: true, booking: rescheduled.booking }
  })
}
