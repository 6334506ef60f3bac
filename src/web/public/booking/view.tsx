/** @jsxImportSource preact */
// The booking page in three steps: services, days and times, contact details.
import { LinkButton, Button } from '../../ui/buttons.tsx'
import type { ChosenOffer } from '../../../features/calendar/availability/schemas.ts'
import type { PublicPicture } from '../../../features/files/pictures/schemas.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { duration, priceOf, shortMoney } from '../../../platform/text/format.ts'
import { type FormState, ProblemBox, Form } from '../../ui/form.tsx'
import { Fields } from '../../ui/define-form.tsx'
import { Summary } from '../../ui/summary.tsx'
import type { VNode } from 'preact'
import { PhoneLink } from '../../ui/links.tsx'
import type { Page } from '../../ui/layout.tsx'
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Avatar } from '../../ui/pictures.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { AddressFields, ContactFields, needsAddress } from '../visit-fields.tsx'
import type { Slot, SlotChoice } from '../slot-choice.ts'
import { chosenTime, refusedTimeNotice, slotPicker } from '../slot-picker.tsx'
import { cancellingText } from '../../../platform/text/cancelling.ts'
import { serviceOf, trailOfPro } from '../trails.ts'
import { bookingFormFor } from './forms.ts'
import { sums } from './terms.tsx'

type Offer = ProfessionalDetail['services'][number]

/** The selection so far and the options. */
export interface BookingChoice {
  pro: ProfessionalDetail
  logo: PublicPicture | undefined
  /** The services that can be booked. */
  offers: readonly Offer[]
  /** The open times of the chosen service or package. */
  slot?: SlotChoice | undefined
  formState: FormState
  idempotencyKey: string
  now: Date
  /** The day and time of a `bookingUrl` that names no service. */
  preset?: { date: string; time: string } | undefined
}

export function bookingPage(choice: BookingChoice): Page {
  const { pro, offers, slot } = choice
  const chosen = slot?.times.service
  return {
    title: `Book ${pro.businessName}`,
    description: `See the open times of ${pro.businessName} and book online.`,
    styles: ['booking.css'],
    scripts: ['address.js'],
    content: (
      <>
        <Breadcrumbs
          trail={trailOfPro({ pro, service: serviceOf(pro.services, chosen?.id), location: pro.location }, 'Book')}
        />
        <div class="with-avatar">
          <Avatar name={pro.businessName} logo={choice.logo} />
          <h1>{chosen ? nameOf(chosen) : `Book ${pro.businessName}`}</h1>
        </div>
        {(chosen ? !chosen.obstacle : offers.length > 0) && <Progress steps={STEPS} at={stepOf(slot)} />}
        {slot && chosen
          ? chosen.obstacle
            ? [notBookable(pro, chosen.obstacle.detail, chosen.id), otherService(choice)]
            : timeAndDetails(choice, slot, chosen)
          : offers.length === 0
            ? notBookable(pro, 'This pro does not take online bookings. Ask for a quote instead.')
            : services(choice)}
      </>
    ),
  }
}

const STEPS = ['Service', 'Time', 'Your details']
const stepOf = (slot: SlotChoice | undefined): number => (slot?.slot ? 2 : slot ? 1 : 0)

const nameOf = (chosen: ChosenOffer): string => chosen.package?.name ?? chosen.name

/** Why nothing can be booked here, and what to do instead. */
const notBookable = ({ slug, contact: { phone } }: ProfessionalDetail, why: string, service?: string): VNode => (
  <>
    <EmptyState title="No online booking">{why}</EmptyState>
    <p class="actions">
      <LinkButton href={`/pros/${slug}/quote${service !== undefined ? `?service=${service}` : ''}`}>
        Ask for a quote
      </LinkButton>{' '}
      {phone !== null && <PhoneLink phone={phone} look="button quiet" />}
    </p>
  </>
)

const otherService = ({ pro, offers }: BookingChoice): VNode | false =>
  offers.length > 0 && (
    <p>
      <a href={`/pros/${pro.slug}/book`}>Choose another service</a>
    </p>
  )

const services = ({ pro, offers, preset }: BookingChoice): VNode => (
  <>
    <h2>What do you need?</h2>
    <ul class="offers">
      {offers.map(({ id, name, pricing }) => (
        <li>
          <h3>
            <a href={`/pros/${pro.slug}/book?${new URLSearchParams({ service: id, ...preset }).toString()}`}>{name}</a>
          </h3>
          <span class="price">{priceOf(pricing)}</span>
        </li>
      ))}
    </ul>
    <p class="hint">
      Not listed? <a href={`/pros/${pro.slug}/quote`}>Ask for a quote</a>.
    </p>
  </>
)

function timeAndDetails(choice: BookingChoice, slot: SlotChoice, chosen: ChosenOffer): VNode {
  const { pro, offers, formState } = choice
  const subject: Record<string, string> = chosen.package ? { package: chosen.package.id } : { service: chosen.id }
  const at = (query: Record<string, string>) =>
    `/pros/${pro.slug}/book?${new URLSearchParams({ ...subject, ...query }).toString()}`
  if (slot.slot) return details(choice, chosen, slot, slot.slot)
  const deposit = chosen.deposit ?? 0
  return (
    <>
      <ul class="facts">
        <li>
          <strong>{priceOf(chosen.price)}</strong>
        </li>
        <li>{duration(chosen.durationMinutes)}</li>
        {deposit > 0 && <li>Deposit: {shortMoney(deposit)}</li>}
        <li>with {pro.businessName}</li>
        {offers.length > 1 && (
          <li>
            <a href={`/pros/${pro.slug}/book`}>Choose another service</a>
          </li>
        )}
      </ul>
      {chosen.package && chosen.package.includes.length > 0 && (
        <p class="quiet">Includes {chosen.package.includes.join(', ')}.</p>
      )}
      <ProblemBox formState={formState} />
      {formState.problem === undefined && refusedTimeNotice(slot)}
      {slotPicker(slot, at)}
      {chosen.cancellation !== null && <p class="hint">{chosen.cancellation}</p>}
    </>
  )
}

/** What the page charges besides the deposit: only packages have a fee here. */
const feeOf = ({ package: chosen, fee }: ChosenOffer): number => (chosen ? fee : 0)

function details(choice: BookingChoice, chosen: ChosenOffer, slot: SlotChoice, time: Slot): VNode {
  const { pro, formState, idempotencyKey } = choice
  const { start, startDateTime, freeCancellationLocal } = time
  const [fee, deposit] = [feeOf(chosen), chosen.deposit ?? 0]
  const { dueAtVisit } = chosen
  const dueNow = chosen.dueNow ?? 0
  const isOptional = !needsAddress(pro, chosen.id)
  const form = bookingFormFor(pro, chosen.id)
  return (
    <div class="with-summary">
      <Summary id="who" when={chosenTime(slot, { startDateTime })}>
        <p class="quiet">
          {nameOf(chosen)} with <a href={`/pros/${pro.slug}`}>{pro.businessName}</a>
          {pro.location && (
            <>
              {' '}
              in {pro.location.city}, {pro.location.state}
            </>
          )}
        </p>
        {sums({ price: chosen.price, fee, deposit, dueAtVisit }, { label: 'To pay now', amount: dueNow })}
        <p class="hint">{cancellingText({ due: dueNow, until: freeCancellationLocal ?? null })}</p>
      </Summary>
      <Form of={form} action={`/pros/${pro.slug}/book`} idempotencyKey={idempotencyKey} formState={formState}>
        <Fields
          of={form}
          names={['service', 'package', 'date', 'time']}
          values={{ service: chosen.id, package: chosen.package?.id, date: slot.date, time: start }}
        />
        <ContactFields isOptional={isOptional} />
        <h2>Where the work is</h2>
        <AddressFields isOptional={isOptional} />
        <Fields of={form} names={['description']} />
        <p class="hint">
          With your booking you accept the <a href="/terms">terms</a>. See also{' '}
          <a href="/privacy">what is stored about you</a>.
        </p>
        <p class="actions">
          <Button>
            {fee > 0
              ? `Book and pay ${shortMoney(dueNow)}`
              : deposit > 0
                ? `Book and pay the deposit of ${shortMoney(deposit)}`
                : 'Book'}
          </Button>{' '}
          <Button look="quiet" name="step" value="time">
            Choose another time
          </Button>
        </p>
      </Form>
    </div>
  )
}
