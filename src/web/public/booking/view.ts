// The booking page in three steps: services, days and times, contact details.
import type { ProfessionalDetail } from '../../../features/pros/schemas.ts'
import { CANCELLATION_POLICY } from '../../../features/bookings/verbs/create-booking.ts'
import { appointment, duration, money, priceOf } from '../../ui/format.ts'
import { type FormState, idempotencyField, problemBox, textArea, textField } from '../../ui/forms.ts'
import { type Html, html } from '../../ui/html.ts'
import type { Page } from '../../ui/layout.ts'
import { emptyState } from '../../ui/parts.ts'
import { type SlotChoice, slotPicker } from '../slot-picker.ts'

export type Offer = ProfessionalDetail['services'][number]

/** The service or package to book. */
export interface Subject {
  /** Its query parameters. */
  query: Record<string, string>
  /** Its hidden form fields. */
  fields: Record<string, string>
  name: string
  price: string
  minutes: number
  /** Set for a package. The fee for booking it is in cents. */
  package?: { includes: readonly string[]; feeCents: number }
}

/** The selection so far and the options. */
export interface BookingChoice {
  pro: ProfessionalDetail
  offers: readonly Offer[]
  chosen?: { subject: Subject; slot: SlotChoice } | undefined
  formState: FormState
  idempotencyKey: string
  /** The day and time of a `bookingUrl` that names no service. */
  preset?: { date: string; time: string } | undefined
}

export function bookingPage(choice: BookingChoice): Page {
  const { pro, offers, chosen } = choice
  return {
    title: `Book ${pro.businessName}`,
    description: `See the open times of ${pro.businessName} and book online.`,
    content: html`
      <p><a href="/pros/${pro.slug}">← ${pro.businessName}</a></p>
      <h1>${chosen ? chosen.subject.name : `Book ${pro.businessName}`}</h1>
      ${
        chosen
          ? timeAndDetails(choice, chosen)
          : offers.length === 0
            ? emptyState('No online booking', [
                'This pro does not take online bookings. ',
                html`<a href="/pros/${pro.slug}/quote">Ask for a quote</a>`,
                pro.contact.phone !== null &&
                  html`, or call <a href="tel:${pro.contact.phone}">${pro.contact.phone}</a>`,
                '.',
              ])
            : services(choice)
      }
    `,
  }
}

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

function timeAndDetails(choice: BookingChoice, { subject, slot }: NonNullable<BookingChoice['chosen']>): Html {
  const { pro, offers, formState } = choice
  const at = (query: Record<string, string>) =>
    `/pros/${pro.slug}/book?${new URLSearchParams({ ...subject.query, ...query }).toString()}`
  return html`
    <ul class="facts">
      <li>${subject.price}</li>
      <li>${duration(subject.minutes)}</li>
      ${pro.booking.depositRequired && pro.booking.depositPercentage !== null && html`<li>Deposit: ${pro.booking.depositPercentage} %</li>`}
      ${hasFee(subject) && html`<li>Booking fee: ${money(subject.package.feeCents / 100)}</li>`}
      ${offers.length > 1 && html`<li><a href="/pros/${pro.slug}/book">Choose another service</a></li>`}
    </ul>
    ${subject.package && subject.package.includes.length > 0 && html`<p class="quiet">Includes ${subject.package.includes.join(', ')}.</p>`}
    ${problemBox(formState)} ${slotPicker(slot, at)}
    ${slot.time !== undefined && details(choice, subject, { date: slot.date, time: slot.time })}
  `
}

const details = (
  { pro, formState, idempotencyKey }: BookingChoice,
  subject: Subject,
  { date, time }: { date: string; time: string },
) => html`
  <h2 id="who">Your details</h2>
  <form method="post" action="/pros/${pro.slug}/book">
    ${Object.entries(subject.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <input type="hidden" name="date" value="${date}" />
    <input type="hidden" name="time" value="${time}" />
    ${idempotencyField(idempotencyKey)}
    <div class="side-by-side">
      ${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxLength: 200, formState })}
      ${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', maxLength: 320, formState })}
      ${!subject.package && textField({ name: 'phone', label: 'Phone', isOptional: true, autocomplete: 'tel', maxLength: 50, formState })}
    </div>
    <div class="side-by-side">
      ${!subject.package && textField({ name: 'street', label: 'Street', isOptional: true, autocomplete: 'street-address', maxLength: 200, formState })}
      ${textField({ name: 'zipCode', label: 'ZIP code', isOptional: true, autocomplete: 'postal-code', maxLength: 20, formState })}
    </div>
    ${textArea({ name: 'description', label: 'Notes for the pro', isOptional: true, maxLength: 5000, formState })}
    <p><strong>${appointment(date, time)}</strong>: ${subject.name} with ${pro.businessName}</p>
    <button>
      ${hasFee(subject) ? 'Book and pay' : pro.booking.depositRequired ? 'Book and pay the deposit' : 'Book'}
    </button>
  </form>
  <p class="hint">${CANCELLATION_POLICY}</p>
`

const hasFee = (subject: Subject): subject is Subject & { package: object } =>
  subject.package !== undefined && subject.package.feeCents > 0
