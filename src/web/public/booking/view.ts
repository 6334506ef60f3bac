// The booking page in three steps: services, days and times, contact details.
import { offerSums } from '../../../features/booking/bookings/rules/deposits.ts'
import type { ChosenOffer } from '../../../features/calendar/availability/schemas.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { duration, priceOf, shortMoney } from '../../../platform/text/format.ts'
import { type FormState, idempotencyField, problemBox, textArea, textField } from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { phoneLink } from '../../ui/links.ts'
import type { Page } from '../../ui/layout.ts'
import { backLink, emptyState } from '../../ui/parts.ts'
import { addressFields, needsAddress, phoneField } from '../visit-fields.ts'
import type { Slot, SlotChoice } from '../slot-choice.ts'
import { chosenTime, refusedTimeNotice, slotPicker } from '../slot-picker.ts'
import { cancellingText } from '../../../features/booking/bookings/rules/cancellation.ts'
import { sums } from './terms.ts'

type Offer = ProfessionalDetail['services'][number]

/** The selection so far and the options. */
export interface BookingChoice {
  pro: ProfessionalDetail
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
    content: html`
      ${backLink(pro.businessName, `/pros/${pro.slug}`)}
      <h1>${chosen ? nameOf(chosen) : `Book ${pro.businessName}`}</h1>
      ${
        slot && chosen
          ? chosen.obstacle
            ? [notBookable(pro, chosen.obstacle.detail, chosen.id), otherService(choice)]
            : timeAndDetails(choice, slot, chosen)
          : offers.length === 0
            ? notBookable(pro, 'This pro does not take online bookings. Ask for a quote instead.')
            : services(choice)
      }
    `,
  }
}

const nameOf = (chosen: ChosenOffer): string => chosen.package?.name ?? chosen.name

/** Why nothing can be booked here, and what to do instead. */
const notBookable = ({ slug, contact: { phone } }: ProfessionalDetail, why: string, service?: string): Html =>
  html`${emptyState('No online booking', why)}
    <p class="actions">
      <a class="button" href="/pros/${slug}/quote${service !== undefined && `?service=${service}`}">Ask for a quote</a>
      ${phone !== null && phoneLink(phone, { look: 'button quiet' })}
    </p>`

const otherService = ({ pro, offers }: BookingChoice): Html | false =>
  offers.length > 0 && html`<p><a href="/pros/${pro.slug}/book">Choose another service</a></p>`

const services = ({ pro, offers, preset }: BookingChoice): Html =>
  html`<h2>What do you need?</h2>
    <ul class="offers">
      ${offers.map(
        ({ id, name, pricing }) =>
          html`<li>
            <h3>
              <a href="/pros/${pro.slug}/book?${new URLSearchParams({ service: id, ...preset }).toString()}">${name}</a>
            </h3>
            <span class="price">${priceOf(pricing)}</span>
          </li>`,
      )}
    </ul>
    <p class="hint">Not listed? <a href="/pros/${pro.slug}/quote">Ask for a quote</a>.</p>`

function timeAndDetails(choice: BookingChoice, slot: SlotChoice, chosen: ChosenOffer): Html {
  const { pro, offers, formState } = choice
  const subject: Record<string, string> = chosen.package ? { package: chosen.package.id } : { service: chosen.id }
  const at = (query: Record<string, string>) =>
    `/pros/${pro.slug}/book?${new URLSearchParams({ ...subject, ...query }).toString()}`
  if (slot.slot) return details(choice, chosen, slot, slot.slot)
  const deposit = chosen.deposit ?? 0
  return html`
    <ul class="facts">
      <li>${priceOf(chosen.price)}</li>
      <li>${duration(chosen.durationMinutes)}</li>
      ${deposit > 0 && html`<li>Deposit: ${shortMoney(deposit)}</li>`}
      <li>with ${pro.businessName}</li>
      ${offers.length > 1 && html`<li><a href="/pros/${pro.slug}/book">Choose another service</a></li>`}
    </ul>
    ${chosen.package && chosen.package.includes.length > 0 && html`<p class="quiet">Includes ${chosen.package.includes.join(', ')}.</p>`}
    ${problemBox(formState)} ${formState.problem === undefined && refusedTimeNotice(slot)} ${slotPicker(slot, at)}
  `
}

/** What the page charges besides the deposit: only packages have a fee here. */
const feeOf = ({ package: chosen, fee }: ChosenOffer): number => (chosen ? fee : 0)

function details(choice: BookingChoice, chosen: ChosenOffer, slot: SlotChoice, { start, startDateTime }: Slot): Html {
  const { pro, formState, idempotencyKey, now } = choice
  const [fee, deposit] = [feeOf(chosen), chosen.deposit ?? 0]
  const { dueNow, dueAtVisit } = offerSums({ ...chosen, fee })
  const isOptional = !needsAddress(pro, chosen.id)
  return html`
    ${problemBox(formState)}
    <section class="summary" id="who">
      <p class="when">${chosenTime(slot, { startDateTime })}</p>
      <p class="quiet">
        ${nameOf(chosen)} with <a href="/pros/${pro.slug}">${pro.businessName}</a>${
          pro.location && html` in ${pro.location.city}, ${pro.location.state}`
        }
      </p>
      ${sums({ price: chosen.price, fee, deposit, dueAtVisit }, { label: 'To pay now', amount: dueNow })}
      <p class="hint">
        ${cancellingText({ due: dueNow, startsAt: startDateTime, timeZone: slot.times.timezone, now })}
      </p>
    </section>
    <form method="post" action="/pros/${pro.slug}/book">
      <input type="hidden" name="service" value="${chosen.id}" />
      ${chosen.package && html`<input type="hidden" name="package" value="${chosen.package.id}" />`}
      <input type="hidden" name="date" value="${slot.date}" />
      <input type="hidden" name="time" value="${start}" />
      ${idempotencyField(idempotencyKey)}
      <h2>Your details</h2>
      <div class="side-by-side">
        ${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxLength: 200, formState })}
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', maxLength: 320, formState })}
        ${phoneField({ isOptional, formState })}
      </div>
      <h2>Where the work is</h2>
      ${addressFields({ isOptional, formState })}
      ${textArea({ name: 'description', label: 'Notes for the pro', isOptional: true, maxLength: 5000, formState })}
      <p class="actions">
        <button>
          ${fee > 0 ? `Book and pay ${shortMoney(dueNow)}` : deposit > 0 ? `Book and pay the deposit of ${shortMoney(deposit)}` : 'Book'}
        </button>
        <button class="quiet" name="step" value="time" formnovalidate>Choose another time</button>
      </p>
    </form>
  `
}
