/** @jsxImportSource preact */
// The page on which a customer reschedules a booking: a day and a time, then the question.
import { Button, LinkButton } from '../../ui/buttons.tsx'
import { isLaterVisit } from '../../../features/booking/bookings/rules/cancellation.ts'
import { doneText } from '../../../features/booking/bookings/texts.ts'
import { lateReschedulingText } from '../../../features/booking/bookings/rules/rescheduling.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import { duration, localDateTime } from '../../../platform/text/format.ts'
import { Fields } from '../../ui/define-form.tsx'
import { type FormState, ProblemBox, Form } from '../../ui/form.tsx'
import { Summary } from '../../ui/summary.tsx'
import type { Balance } from '../../../payments/schemas.ts'
import { cancellingText } from '../../../platform/text/cancelling.ts'
import type { VNode } from 'preact'
import { PhoneLink } from '../../ui/links.tsx'
import type { Page } from '../../ui/layout.tsx'
import { BackLink } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { type Slot, type SlotChoice, TimeForm } from '../slot-choice.ts'
import { chosenTime, refusedTimeNotice, slotPicker } from '../slot-picker.tsx'

export interface ReschedulePage {
  booking: Booking
  /** Of the booking's page. */
  path: string
  /** In the form. */
  csrf?: VNode | undefined
  startsAt: string
  timeZone: string
  cancellationCost: number
  balance: Balance
  /** Undefined when the booking cannot be rescheduled. */
  slot?: SlotChoice | undefined
  formState: FormState
}

export const reschedulePage = (it: ReschedulePage): Page => ({
  title: 'Move your booking',
  description: 'Choose another time for your booking.',
  styles: ['booking.css'],
  content: (
    <>
      <BackLink href={it.path}>Your booking</BackLink>
      <h1>Move your booking</h1>
      <p class="lead">
        {it.booking.service.name} with {it.booking.professional.businessName}, now on{' '}
        <strong>{localDateTime(it.startsAt, it.timeZone)}</strong>, {duration(it.booking.durationMinutes)}.
      </p>
      {it.slot ? newTime(it, it.slot) : notMovable(it.booking)}
    </>
  ),
})

function newTime(it: ReschedulePage, choice: SlotChoice): VNode {
  const { path, cancellationCost, formState } = it
  const late = cancellationCost > 0
  const at = (query: Record<string, string>) => `${path}/move?${new URLSearchParams(query).toString()}`
  return (
    <>
      <ProblemBox formState={formState} />
      {late && <p class="notice wait">{lateReschedulingText(cancellationCost)}</p>}
      {formState.problem === undefined && refusedTimeNotice(choice)}
      {choice.slot ? rescheduleForm(it, choice, choice.slot) : slotPicker(choice, at, late ? 0 : keptLater(it))}
    </>
  )
}

/** What cancelling costs once it is no longer free. */
const keptLater = ({ booking, balance }: ReschedulePage): number => (isLaterVisit(booking) ? 0 : balance.refundable)

const rescheduleForm = (it: ReschedulePage, choice: SlotChoice, slot: Slot): VNode => (
  <Summary id="who" label="New time" when={chosenTime(choice, slot)}>
    {it.cancellationCost === 0 && (
      <p class="hint">{cancellingText({ due: keptLater(it), until: slot.freeCancellationLocal ?? null })}</p>
    )}
    <Form of={TimeForm} action={`${it.path}/move`}>
      {it.csrf}
      <Fields of={TimeForm} values={{ date: choice.date, time: slot.start }} />
      <p class="actions">
        <Button>Move the booking</Button>{' '}
        <LinkButton href={`${it.path}/move?date=${choice.date ?? ''}`} look="quiet">
          Choose another time
        </LinkButton>{' '}
        <LinkButton href={it.path} look="quiet">
          Keep the old time
        </LinkButton>
      </p>
    </Form>
  </Summary>
)

const notMovable = (booking: Booking): VNode => (
  <EmptyState title="This booking cannot be moved">
    {[
      WHY_NOT[booking.status](booking),
      <>
        {' '}
        <a href={`/pros/${booking.professional.id}/book`}>Book another time</a>
      </>,
      booking.professional.phone !== null && (
        <>
          , or call <PhoneLink phone={booking.professional.phone} />
        </>
      ),
      '.',
    ]}
  </EmptyState>
)

const WHY_NOT: Record<Booking['status'], (booking: Booking) => string> = {
  pending: () => 'It is not confirmed yet.',
  confirmed: () => 'It has already begun, or the pro is no longer here.',
  completed: (booking) => `${doneText(booking)}.`,
  no_show: () => 'Its time has passed.',
  cancelled: () => 'It was cancelled.',
}
