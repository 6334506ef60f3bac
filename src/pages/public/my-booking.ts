// /bookings: a customer's booking, found by its confirmation code, and how to call it off.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { siteAccountOf } from '../../features/accounts/service.ts'
import { cancelBooking } from '../../features/bookings/changes.ts'
import type { Booking } from '../../features/bookings/model.ts'
import { CANCELLATION_POLICY, getBookingByCode, readCode } from '../../features/bookings/service.ts'
import { type Access, publicPage } from '../../http/access.ts'
import { refuseForeign } from '../../http/form.ts'
import { gate } from '../../http/gate.ts'
import { queryOf } from '../../http/route-table.ts'
import { longDay } from '../format.ts'
import { textField } from '../forms.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import { type Tone, badge, facts } from '../parts.ts'
import { personalPageAnswer, seeOther } from './answer.ts'

const byCode: Access = { ...publicPage, limit: 'codeLookups' }

export const myBookingPages = (deps: Deps) =>
  new Elysia({ name: 'my-booking-pages' })
    .use(gate(deps))
    .get(
      '/bookings',
      function getCodePage({ request }) {
        const code = queryOf(request.url).get('code')
        return code === null || code.trim() === ''
          ? personalPageAnswer(codePage)
          : seeOther(`/bookings/${encodeURIComponent(readCode(code))}`)
      },
      { access: publicPage, caching: 'personal' },
    )
    .get(
      '/bookings/:code',
      async function getBookingOfCode({ params: { code } }) {
        return personalPageAnswer(myBookingPage(await getBookingByCode(deps, code)))
      },
      { access: byCode, caching: 'personal' },
    )
    .post(
      '/bookings/:code/cancel',
      async function cancelBookingOfCode({ request, params: { code } }) {
        refuseForeign(request, new URL(deps.config.baseUrl).origin)
        const { id, confirmationCode } = await getBookingByCode(deps, code)
        const site = await siteAccountOf(deps)()
        await cancelBooking(deps, { accountId: site.id }, id, { confirmationCode }).catch(unlessOver)
        return seeOther(`/bookings/${confirmationCode}`)
      },
      { access: byCode },
    )

/** The page says how things stand: also when the booking was called off before, or has begun. */
function unlessOver(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
}

const codePage: Page = {
  title: 'Your booking',
  description: 'Look a booking up by its confirmation code.',
  content: html`
    <div class="narrow">
      <h1>Your booking</h1>
      <form action="/bookings">
        ${textField({ name: 'code', label: 'Confirmation code', placeholder: 'HTH-0123456789AB', maxLength: 40 })}
        <button>Show it</button>
      </form>
      <p class="hint">You were given it when you booked. Whoever has it can see and cancel the booking.</p>
    </div>
  `,
}

const myBookingPage = (booking: Booking): Page => ({
  title: 'Your booking',
  description: 'A booking for you alone.',
  content: html`
    <h1>${HEADINGS[booking.status][0]}</h1>
    <p>${badge(booking.status.replace('_', ' '), HEADINGS[booking.status][1])}</p>
    ${facts([
      ['Code', html`<code>${booking.confirmationCode}</code>`],
      ['What', booking.service.name],
      ['When', `${longDay(booking.scheduledDate)} at ${booking.scheduledTime}, ${booking.durationMinutes} minutes`],
      ['Who', `${booking.professional.businessName}, ${booking.professional.location}`],
      ...(booking.professional.phone === null
        ? []
        : [['Phone', html`<a href="tel:${booking.professional.phone}">${booking.professional.phone}</a>`] as const]),
      ...(booking.description === null ? [] : [['Notes', booking.description] as const]),
    ])}
    ${
      (booking.status === 'pending' || booking.status === 'confirmed') &&
      html`<form method="post" action="/bookings/${booking.confirmationCode}/cancel">
        <button class="danger">Cancel the booking</button>
      </form>`
    }
    <p class="hint">Keep the code: with it you find this page again. ${CANCELLATION_POLICY}</p>
  `,
})

const HEADINGS: Record<Booking['status'], readonly [title: string, tone: Tone]> = {
  pending: ['Your booking waits for confirmation', 'wait'],
  confirmed: ['Your booking is confirmed', 'good'],
  completed: ['The work is done', 'good'],
  no_show: ['Nobody was there', 'bad'],
  cancelled: ['The booking was cancelled', 'bad'],
}
