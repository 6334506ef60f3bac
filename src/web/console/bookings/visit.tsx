/** @jsxImportSource preact */
// A visit as the pro's console shows it: when, where, what, for whom, and what can be done about it now.
import { LinkButton } from '../../ui/buttons.tsx'
import { isHeld } from '../../../features/booking/bookings/rules/holds.ts'
import { BOOKING } from '../../../features/booking/bookings/states.ts'
import type { ProAction } from '../../../features/booking/bookings/action-schemas.ts'
import type { ProBooking } from '../../../features/booking/bookings/schemas.ts'
import { addressText, bookingBalanceText } from '../../../features/booking/bookings/texts.ts'
import { mayTake } from '../../../features/booking/bookings/rules/worker-actions.ts'
import type { ProSession } from '../../../http/session.ts'
import { localClock, localDate, minuteOfDay } from '../../../platform/clock/dates.ts'
import { clockTime, priceOf, shortMoney, visitTime } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { ActionButton } from '../../ui/form.tsx'
import { MapLink, PhoneLink } from '../../ui/links.tsx'
import { type Tone, Badge } from '../../ui/badge.tsx'

export const BOOKINGS_PATH = '/console/bookings'
export const NEW_BOOKING_PATH = `${BOOKINGS_PATH}/new`

export const VISIT_STATES: Record<ProBooking['status'], { label: string; tone: Tone }> = {
  pending: { label: 'To confirm', tone: 'wait' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  completed: { label: 'Completed', tone: 'plain' },
  no_show: { label: 'No-show', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'bad' },
}

export const stateOf = (booking: ProBooking): VNode =>
  isHeld(booking) ? (
    <Badge tone="wait">Waits for payment</Badge>
  ) : (
    <Badge tone={VISIT_STATES[booking.status].tone}>{VISIT_STATES[booking.status].label}</Badge>
  )

/** Whether the visit has begun, by the pro's clock. */
export function hasStarted({ scheduledDate, scheduledTime }: ProBooking, now: Date, timeZone: string): boolean {
  return `${scheduledDate} ${scheduledTime}` <= `${localDate(now, timeZone)} ${localClock(now, timeZone)}`
}

/** "9:00 to 10:30 AM". */
export function visitTimes({ scheduledTime, durationMinutes }: ProBooking): string {
  const end = minuteOfDay(scheduledTime) + durationMinutes
  const [from, to] = [clockTime(scheduledTime), clockTime(`${Math.floor(end / 60) % 24}:${end % 60}`)]
  return `${from.slice(-2) === to.slice(-2) ? from.slice(0, -3) : from} to ${to}`
}

/** "Tuesday, June 2, 2:15 PM". */
export const visitStart = ({ scheduledDate, scheduledTime }: ProBooking): string =>
  visitTime(scheduledDate, scheduledTime)

/** The price, and what is paid of it: "$120, $30.00 of $120.00 paid, $90.00 due at the visit". */
export function visitPrice(booking: ProBooking): string {
  const total = booking.package ? shortMoney(booking.package.price) : priceOf(booking.price)
  const balance = bookingBalanceText(booking)
  return balance === null ? total : `${total}, ${balance}`
}

/** Whether the action can be taken at this moment. The verb checks it again. */
export function allows(booking: ProBooking, action: ProAction['action'], hasStarted: boolean): boolean {
  if (!(action in BOOKING[booking.status])) return false
  if (action === 'confirm') return !isHeld(booking)
  if (action === 'complete' || action === 'no_show') return hasStarted
  if (action === 'propose') return !isHeld(booking) && !hasStarted
  return true
}

/** A visit on a card of the day, with the buttons that need no further input. */
export function visitCard(
  session: ProSession,
  booking: ProBooking,
  { hasStarted, heading = <>{visitTimes(booking)}</> }: { hasStarted: boolean; heading?: VNode },
): VNode {
  const address = addressText(booking.address)
  const path = `${BOOKINGS_PATH}/${booking.id}`
  const button = (action: ProAction['action'], label: string) =>
    mayTake(session.onlyMemberId, action) &&
    allows(booking, action, hasStarted) && (
      <ActionButton session={session} action={path} label={label} look="plain" fields={{ action }} />
    )
  return (
    <article class="visit">
      <p class="visit-head">
        <strong>{heading}</strong> {stateOf(booking)}
      </p>
      <h3>
        <a href={path}>{booking.package?.name ?? booking.service.name}</a> for {booking.customer.name}
      </h3>
      {address !== '' && (
        <p>
          <MapLink address={address} />
        </p>
      )}
      <p class="hint">
        {booking.customerPhone && (
          <>
            <PhoneLink phone={booking.customerPhone} /> ·{' '}
          </>
        )}
        {visitPrice(booking)} {booking.assignedTo && <> · {booking.assignedTo.name}</>}
      </p>
      <div class="choices">
        {button('confirm', 'Confirm')}
        {button('complete', 'Mark as completed')}
        <LinkButton href={path} look="quiet" isSmall>
          Details
        </LinkButton>
      </div>
    </article>
  )
}
