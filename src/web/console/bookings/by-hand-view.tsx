/** @jsxImportSource preact */
// A booking for a customer who calls, in three steps: the service, the time, the customer.
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { VNode } from 'preact'

import { visitErrors } from '../../../features/booking/bookings/verbs/visit-details.ts'
import type { ChosenOffer } from '../../../features/calendar/availability/schemas.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { ClockTime, FreeText, Uuid, isCalendarDate } from '../../../platform/schema/types.ts'
import { duration, priceOf, shortMoney, visitTime } from '../../../platform/text/format.ts'
import { needsAddress, visitFields } from '../../public/visit-fields.tsx'
import { type SlotChoice, openSlotsOn } from '../../public/slot-choice.ts'
import { refusedTimeNotice, slotPicker } from '../../public/slot-picker.tsx'
import { Button, LinkButton } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { type FormState, Form } from '../../ui/form.tsx'
import { BackLink, PageHeading } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'

const START_LENGTH = 'YYYY-MM-DDTHH:MM'.length

/** The parts of a start in the list of times; undefined for another text. */
export function partsOfStart(start: string): { date: string; time: string } | undefined {
  const [date = '', time = ''] = start.split('T')
  return isCalendarDate(date) && Value.Check(ClockTime(), time) ? { date, time } : undefined
}

/** Browsers fill in the details of the person at the device, who is not the customer. */
const customerFields = (isOptional: boolean) => {
  const { name, email, phone, street, zipCode, city, state } = visitFields(isOptional)
  return {
    name: { ...name, label: 'Customer’s name', autocomplete: 'off' },
    phone: { ...phone, autocomplete: 'off' },
    email: {
      ...email,
      autocomplete: 'off',
      hint: 'A booking needs one: the customer gets the confirmation there, with the link to move or cancel the visit.',
    },
    street: { ...street, autocomplete: 'off' },
    zipCode: { ...zipCode, autocomplete: 'off' },
    city: { ...city, autocomplete: 'off' },
    state: { ...state, autocomplete: 'off' },
  } as const
}

const formByHand = (isOptional: boolean) =>
  defineForm(
    {
      service: { schema: Uuid() },
      start: {
        schema: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$', maxLength: START_LENGTH }),
        label: 'When',
      },
      ...customerFields(isOptional),
      description: { schema: Type.Optional(FreeText()), label: 'Notes', rows: 2 },
      idempotencyKey: { schema: Uuid() },
    },
    ({ start = '', ...details }, region) => ({
      ...(isOptional ? {} : visitErrors(details, region)),
      start: start !== '' && !partsOfStart(start) ? 'must be a time of the list' : undefined,
    }),
  )

const FORMS = { atCustomer: formByHand(false), atPro: formByHand(true) }
export type ByHandForm = (typeof FORMS)['atPro']
export type ByHandInput = Static<ByHandForm>

/** The routes name it; the handler reads by that of the service. */
export const AnyByHandForm = FORMS.atPro

/** The form for a booking of this service. */
export const byHandFormFor = (pro: ProfessionalDetail, serviceId: string): ByHandForm =>
  FORMS[needsAddress(pro, serviceId) ? 'atCustomer' : 'atPro']

/** Where the page is, and where its person came from. */
export interface ByHandPlace {
  path: string
  back: { href: string; label: string }
  /** Whether the page says which pro it books. */
  namesPro: boolean
}

export interface ByHandChoice {
  pro: ProfessionalDetail
  slot: SlotChoice | undefined
  formState: FormState
  idempotencyKey: string
}

export const BY_HAND_TITLE = 'New booking'

export const byHandView = (session: Session, place: ByHandPlace, choice: ByHandChoice): VNode => (
  <>
    <BackLink href={place.back.href}>{place.back.label}</BackLink>
    <PageHeading>{place.namesPro ? `${BY_HAND_TITLE} with ${choice.pro.businessName}` : BY_HAND_TITLE}</PageHeading>
    {stepOf(session, place, choice)}
  </>
)

/** The pro takes no bookings. `wasSent`: no more since the form was opened. */
export const notBookableView = ({ back }: ByHandPlace, wasSent: boolean): VNode => (
  <>
    <BackLink href={back.href}>{back.label}</BackLink>
    <PageHeading>{BY_HAND_TITLE}</PageHeading>
    {wasSent && (
      <p class="notice bad" role="alert">
        Nothing is booked: the pro takes no bookings any more.
      </p>
    )}
    <EmptyState title="No bookings now">
      A pro who is paused, closed or not published yet takes no bookings, also not by phone.
    </EmptyState>
  </>
)

function stepOf(session: Session, place: ByHandPlace, choice: ByHandChoice): VNode {
  const { slot, pro, formState } = choice
  const chosen = slot?.times.service
  if (!slot || !chosen) return services(place, pro)
  const other = (
    <p>
      <a href={place.path}>Choose another service</a>
    </p>
  )
  if (chosen.obstacle)
    return (
      <>
        <EmptyState title={`${chosen.name} cannot be booked`}>{chosen.obstacle.detail}</EmptyState>
        {other}
      </>
    )
  if (slot.slot || formState.values.size > 0) return details(session, place, { ...choice, slot, chosen })
  return (
    <>
      <p class="lead">
        {chosen.name}, {priceOf(chosen.price)}, {duration(chosen.durationMinutes)}
      </p>
      {refusedTimeNotice(slot)}
      {slotPicker(slot, (query) => pathAt(place, { service: chosen.id, ...query }))}
      {pro.services.length > 1 && other}
    </>
  )
}

const pathAt = ({ path }: ByHandPlace, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`

const services = (place: ByHandPlace, { services: all, businessName }: ProfessionalDetail): VNode => {
  const bookable = all.filter(({ booking }) => booking.instantBookEnabled)
  return bookable.length === 0 ? (
    <EmptyState title="No service can be booked">
      {businessName} has no service with instant booking. Switch it on for one of the services first.
    </EmptyState>
  ) : (
    <>
      <h2>What does the customer need?</h2>
      <ul class="offers">
        {bookable.map(({ id, name, pricing }) => (
          <li>
            <h3>
              <a href={pathAt(place, { service: id })}>{name}</a>
            </h3>
            <span class="price">{priceOf(pricing)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A page of times in the list; the picker has all of them. */
const MAX_TIMES = 60

/** The open times from the chosen day on. The chosen one is among them while it is open. */
function timesFrom({ times, date }: SlotChoice): { value: string; label: string }[] {
  return times.availability
    .filter((day) => date === undefined || day.date >= date)
    .flatMap((day) => openSlotsOn(times, day.date).map(({ start }) => ({ date: day.date, start })))
    .slice(0, MAX_TIMES)
    .map((it) => ({ value: `${it.date}T${it.start}`, label: visitTime(it.date, it.start) }))
}

type Details = Omit<ByHandChoice, 'slot'> & { slot: SlotChoice; chosen: ChosenOffer }

function details(session: Session, place: ByHandPlace, choice: Details): VNode {
  const { pro, slot, chosen, formState, idempotencyKey } = choice
  const form = byHandFormFor(pro, chosen.id)
  const deposit = chosen.deposit ?? 0
  const start = slot.slot && slot.date !== undefined ? `${slot.date}T${slot.slot.start}` : ''
  return (
    <>
      <p class="lead">
        {chosen.name}, {priceOf(chosen.price)}, {duration(chosen.durationMinutes)}
      </p>
      {deposit > 0 && (
        <p class="notice wait">
          The customer pays a deposit of {shortMoney(deposit)} through the link in the mail. The time is held until
          then, and becomes free if they do not pay in time.
        </p>
      )}
      <Form of={form} session={session} action={place.path} idempotencyKey={idempotencyKey} formState={formState}>
        <Fields
          of={form}
          names={['service', 'start', 'name', 'phone', 'email']}
          values={{ service: chosen.id, start }}
          choices={{ start: [{ value: '', label: 'Choose a time' }, ...timesFrom(slot)] }}
        />
        <Fields of={form} names={['street', 'zipCode', 'city', 'state', 'description']} />
        <p class="hint">Times are in {slot.times.timeZoneName}.</p>
        <p class="actions">
          <Button>Book for the customer</Button>{' '}
          <LinkButton href={pathAt(place, { service: chosen.id })} look="quiet">
            See all times
          </LinkButton>
        </p>
      </Form>
    </>
  )
}
