// The booking page in three steps: services, days and times, contact details.
import type { ChosenOffer } from '../../../features/availability/schemas.ts'
import type { ProfessionalDetail } from '../../../features/pros/schemas.ts'
import { newCancellationPolicy } from '../../../features/bookings/verbs/cancellation-policy.ts'
import { appointment, duration, money, priceOf } from '../../../platform/text/format.ts'
import { type FormState, idempotencyField, problemBox, textArea, textField } from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { phoneLink } from '../../ui/links.ts'
import type { Page } from '../../ui/layout.ts'
import { emptyState } from '../../ui/parts.ts'
import { addressFields, needsAddress, phoneField } from '../visit-fields.ts'
import { type SlotChoice, closedTimeNotice, slotPicker } from '../slot-picker.ts'

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
  /** The day and time of a `bookingUrl` that names no service. */
  preset?: { date: string; time: string } | undefined
}

export function bookingPage(choice: BookingChoice): Page {
  const { pro, offers, slot } = choice
  const chosen = slot?.times.service
  return {
    title: `Book ${pro.businessName}`,
    description: `See the open times of ${pro.businessName} and book online.`,
    content: html`
      <p><a href="/pros/${pro.slug}">← ${pro.businessName}</a></p>
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
  const fee = feeOf(chosen)
  return html`
    <ul class="facts">
      <li>${priceOf(chosen.price)}</li>
      <li>${duration(chosen.durationMinutes)}</li>
      ${chosen.deposit !== null && chosen.deposit > 0 && html`<li>Deposit: ${money(chosen.deposit)}</li>`}
      ${fee > 0 && html`<li>Booking fee: ${money(fee)}</li>`}
      ${offers.length > 1 && html`<li><a href="/pros/${pro.slug}/book">Choose another service</a></li>`}
    </ul>
    ${chosen.package && chosen.package.includes.length > 0 && html`<p class="quiet">Includes ${chosen.package.includes.join(', ')}.</p>`}
    ${problemBox(formState)} ${formState.problem === undefined && closedTimeNotice(slot)} ${slotPicker(slot, at)}
    ${slot.time !== undefined && details(choice, chosen, { date: slot.date, time: slot.time })}
  `
}

/** What the page charges besides the deposit: only packages have a fee here. */
const feeOf = ({ package: chosen, fee }: ChosenOffer): number => (chosen ? fee : 0)

const details = (
  { pro, formState, idempotencyKey }: BookingChoice,
  chosen: ChosenOffer,
  { date, time }: { date: string; time: string },
) => html`
  <h2 id="who">Your details</h2>
  <form method="post" action="/pros/${pro.slug}/book">
    <input type="hidden" name="service" value="${chosen.id}" />
    ${chosen.package && html`<input type="hidden" name="package" value="${chosen.package.id}" />`}
    <input type="hidden" name="date" value="${date}" />
    <input type="hidden" name="time" value="${time}" />
    ${idempotencyField(idempotencyKey)}
    <div class="side-by-side">
      ${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxLength: 200, formState })}
      ${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', maxLength: 320, formState })}
      ${phoneField({ isOptional: !needsAddress(pro, chosen.id), formState })}
    </div>
    ${addressFields({ isOptional: !needsAddress(pro, chosen.id), formState })}
    ${textArea({ name: 'description', label: 'Notes for the pro', isOptional: true, maxLength: 5000, formState })}
    <p><strong>${appointment(date, time)}</strong>: ${nameOf(chosen)} with ${pro.businessName}</p>
    <button>
      ${feeOf(chosen) > 0 ? 'Book and pay' : (chosen.deposit ?? 0) > 0 ? 'Book and pay the deposit' : 'Book'}
    </button>
  </form>
  <p class="hint">${newCancellationPolicy()}</p>
`
