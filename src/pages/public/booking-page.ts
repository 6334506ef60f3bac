// What the booking page shows, step by step: services, days and times, the form.
import type { Static } from '@sinclair/typebox'

import type { Availability, ServiceAvailability } from '../../features/availability/model.ts'
import type { ProfessionalDetail } from '../../features/pros/model.ts'
import { CANCELLATION_POLICY } from '../../features/bookings/service.ts'
import { addDays } from '../../platform/dates.ts'
import { type Entered, problemOf, textArea, textField } from '../forms.ts'
import { type Html, html } from '../html.ts'
import type { Page } from '../layout.ts'
import { emptyState } from '../parts.ts'
import { priceOf } from './price.ts'

export type Slots = Static<typeof ServiceAvailability>

type Offer = ProfessionalDetail['services'][number]

/** What was chosen so far, and what there is to choose from. */
export interface Choice {
  pro: ProfessionalDetail
  offers: readonly Offer[]
  service?: Offer | undefined
  days?: Availability
  slots?: Slots
  time?: string | undefined
  entered: Entered
  once: string
  /** The day and time that a `bookingUrl` asks for, before a service is chosen. */
  wanted?: { date: string; time: string } | undefined
}

export function bookingPage(choice: Choice): Page {
  const { pro, offers, service } = choice
  return {
    title: `Book ${pro.businessName}`,
    description: `Open times of ${pro.businessName}.`,
    content: html`
      <p><a href="/pros/${pro.slug}">← ${pro.businessName}</a></p>
      <h1>${service ? service.name : `Book ${pro.businessName}`}</h1>
      ${
        offers.length === 0
          ? emptyState('No bookings online', [
              'This pro takes no bookings here. ',
              html`<a href="/pros/${pro.slug}/quote">Ask for a quote</a>. `,
              pro.contact.phone !== null && html`Call <a href="tel:${pro.contact.phone}">${pro.contact.phone}</a>.`,
            ])
          : service
            ? whenAndWho(choice, service)
            : services(choice)
      }
    `,
  }
}

const services = ({ pro, offers, wanted }: Choice): Html =>
  html`<h2>What is to be done?</h2>
    <ul class="offers">
      ${offers.map(
        ({ id, name, pricing }) =>
          html`<li>
            <h3>
              <a href="/pros/${pro.slug}/book?${new URLSearchParams({ service: id, ...wanted }).toString()}">${name}</a>
            </h3>
            <span class="price">${priceOf(pricing)}</span>
          </li>`,
      )}
    </ul>
    <p class="hint">Nothing that fits? <a href="/pros/${pro.slug}/quote">Ask for a quote</a>.</p>`

function whenAndWho(choice: Choice, service: Offer): Html {
  const { pro, offers, slots, entered } = choice
  return html`
    <ul class="facts">
      <li>${priceOf(service.pricing)}</li>
      ${slots && html`<li>${slots.durationMinutes} minutes</li>`}
      ${pro.booking.depositRequired && pro.booking.depositPercentage !== null && html`<li>Deposit: ${pro.booking.depositPercentage} %</li>`}
      ${offers.length > 1 && html`<li><a href="/pros/${pro.slug}/book">Something else</a></li>`}
    </ul>
    ${problemOf(entered)} ${calendar(choice, service)} ${details(choice, service)}
  `
}

/** Two weeks as a row of days, and the open times of one of them. */
function calendar({ pro, days, slots, time }: Choice, service: Offer): Html | false {
  const first = days?.availability[0]?.date
  if (!days || !slots || first === undefined) return emptyState('No open times', 'Try again later, or call.')
  const at = (query: Record<string, string>) =>
    `/pros/${pro.slug}/book?${new URLSearchParams({ service: service.id, ...query }).toString()}`
  const open = slots.slots.filter(({ available }) => available)
  return html`
    <h2 id="when">When?</h2>
    <nav class="days" aria-label="Days">
      ${days.availability.map(({ date, slots: all }) =>
        dayLink(
          date,
          date === slots.date,
          all.some(({ available }) => available),
          at({ from: first, date }),
        ),
      )}
    </nav>
    <p class="pager">
      <span></span><a href="${at({ from: addDays(first, days.availability.length) })}" rel="next">Later days →</a>
    </p>
    ${
      open.length > 0
        ? html`<ul class="slots" aria-label="Open times on ${longDate(slots.date)}">
            ${open.map(
              ({ start }) =>
                html`<li>
                  <a
                    href="${at({ from: first, date: slots.date, time: start })}#who"
                    class="button ${start === time ? '' : 'quiet'}"
                    ${start === time && html`aria-current="true"`}
                    >${start}</a
                  >
                </li>`,
            )}
          </ul>`
        : emptyState(`Nothing open on ${longDate(slots.date)}`, nextTime(slots, at))
    }
    <p class="hint">Times are on the clock of ${slots.timezone.replaceAll('_', ' ')}.</p>
  `
}

const dayLink = (date: string, isChosen: boolean, isOpen: boolean, href: string): Html =>
  isOpen || isChosen
    ? html`<a href="${href}#when" ${isChosen && html`aria-current="date"`}>${shortDate(date)}</a>`
    : html`<span>${shortDate(date)}<span class="unseen">, nothing open</span></span>`

function nextTime({ nextAvailable }: Slots, at: (query: Record<string, string>) => string) {
  if (nextAvailable === null) return 'Nothing is open within 60 days.'
  const { date, time } = nextAvailable
  return html`The next is on <a href="${at({ from: date, date, time })}#who">${longDate(date)} at ${time}</a>.`
}

function details({ pro, slots, time, entered, once }: Choice, service: Offer): Html | false {
  if (!slots || time === undefined) return false
  return html`
    <h2 id="who">Who and where?</h2>
    <form method="post" action="/pros/${pro.slug}/book">
      <input type="hidden" name="service" value="${service.id}" />
      <input type="hidden" name="date" value="${slots.date}" />
      <input type="hidden" name="time" value="${time}" />
      <input type="hidden" name="once" value="${once}" />
      <div class="side-by-side">
        ${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxLength: 200, entered })}
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', maxLength: 320, entered })}
        ${textField({ name: 'phone', label: 'Phone', isOptional: true, autocomplete: 'tel', maxLength: 50, entered })}
      </div>
      <div class="side-by-side">
        ${textField({ name: 'street', label: 'Street', isOptional: true, autocomplete: 'street-address', maxLength: 200, entered })}
        ${textField({ name: 'zipCode', label: 'ZIP code', isOptional: true, autocomplete: 'postal-code', maxLength: 20, entered })}
      </div>
      ${textArea({ name: 'description', label: 'What should the pro know?', isOptional: true, maxLength: 5000, entered })}
      <p><strong>${longDate(slots.date)} at ${time}</strong>, ${service.name} with ${pro.businessName}</p>
      <button>${pro.booking.depositRequired ? 'Book and pay the deposit' : 'Book'}</button>
    </form>
    <p class="hint">${CANCELLATION_POLICY}</p>
  `
}

const SHORT = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
const LONG = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
const shortDate = (date: string) => SHORT.format(new Date(date))
const longDate = (date: string) => LONG.format(new Date(date))
