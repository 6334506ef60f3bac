// The payment page, in the sandbox and with Stripe's form. A stand-in replaces Stripe's script.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createBooking } from '../../../src/features/booking/bookings/verbs/create-booking.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import { openBrowser, watchPage } from '../../support/browser.ts'
import { FakeStripe } from '../../support/fake-stripe.ts'
import { type BookingFixture, openBookingFixture } from '../../support/booking-fixture.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const browser = await opened(openBrowser())

/** The payment of a booking for the day after tomorrow, by the system clock. */
async function bookSoon(world: BookingFixture) {
  const { app, sql } = world
  const { id, serviceId } = await world.pro()
  const [account] = await sql<{ id: string }[]>`select id from accounts where kind = 'developer'`
  const deps = { ...app.deps, clock: systemClock }
  const booked = await createBooking(ctxOf(deps, { accountId: account?.id ?? '' }), {
    professionalId: id,
    serviceId,
    date: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
    time: '12:00',
    customer: { name: 'Homeowner in Austin', email: 'home@example.com' },
  })
  if (!booked.payment) throw new Error('There is a deposit to pay.')
  return booked.payment
}

describe('in the sandbox', () => {
  let world: BookingFixture
  let server: TestServer
  beforeAll(async () => {
    world = await openBookingFixture()
    server = await startServer({ databaseUrl: world.app.databaseUrl })
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    await world.close()
  })

  test('a failed payment can be tried again and then succeeds', async () => {
    const { payUrl } = await bookSoon(world)
    const { page, outside, errors, screenshot } = await watchPage(browser)
    await page.goto(`${server.url}${new URL(payUrl).pathname}`)
    await screenshot('pay')
    await page.getByRole('button', { name: 'Simulate a failed payment' }).click()
    await page.getByText('Try again').waitFor()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('Payment received. Thank you').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect([outside, errors]).toEqual([[], []])
    await page.context().close()
  })
})

/** The part of Stripe's script that the page uses. Like the real one, it redirects the customer back after paying. */
const STRIPE_SCRIPT = `
  window.Stripe = (key) => ({
    elements: ({ clientSecret }) => ({
      clientSecret,
      create: (kind) => ({ mount: (place) => { document.querySelector(place).textContent = kind + ' ' + key } }),
    }),
    confirmPayment: async ({ elements, confirmParams }) => {
      if (!window.declinedOnce) {
        window.declinedOnce = true
        return { error: { message: 'Your card was declined.' } }
      }
      location.href = confirmParams.return_url + '?redirect_status=succeeded&secret=' + elements.clientSecret
      return await new Promise(() => {})
    },
  })`

describe('with Stripe', () => {
  let world: BookingFixture
  let server: TestServer
  let stripe: FakeStripe
  beforeAll(async () => {
    stripe = new FakeStripe()
    const env = { ...stripe.env, STRIPE_PUBLISHABLE_KEY: 'pk_test_fake' }
    world = await openBookingFixture(env)
    server = await startServer({ databaseUrl: world.app.databaseUrl, env })
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    await world.close()
    await stripe.close()
  })

  test('Stripe’s form takes the payment, and the page waits for Stripe’s webhook', async () => {
    const { payUrl, clientSecret } = await bookSoon(world)
    const { page, outside, errors } = await watchPage(browser)
    await page.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: STRIPE_SCRIPT }),
    )
    await page.goto(`${server.url}${new URL(payUrl).pathname}`)
    await page.getByText('payment pk_test_fake').waitFor()
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByText('Your card was declined.').waitFor()
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByText('Your payment is being confirmed').waitFor()
    expect(new URL(page.url()).searchParams.get('secret')).toBe(clientSecret)

    stripe.pay(clientSecret)
    const { body = '' } = stripe.outbox[0] ?? {}
    const notified = await fetch(`${server.url}/webhooks/stripe`, {
      method: 'POST',
      body,
      headers: { 'stripe-signature': stripe.sign(body, new Date()) },
    })
    expect(notified.status).toBe(200)
    await page.getByText('Payment received. Thank you').waitFor()
    expect([outside, errors]).toEqual([[], []])
    await page.context().close()
  })

  test('a payment that is not confirmed within a minute is left to the customer', async () => {
    const { payUrl } = await bookSoon(world)
    const path = `${server.url}${new URL(payUrl).pathname}?redirect_status=succeeded`
    const first = await fetch(path)
    expect(first.headers.get('refresh')).toBe('2; url=?redirect_status=succeeded&checks=1')
    const next = await fetch(`${path}&checks=29`)
    expect(next.headers.get('refresh')).toBe('2; url=?redirect_status=succeeded&checks=30')
    for (const checks of ['30', '31', '-1', '1000', 'x']) {
      const last = await fetch(`${path}&checks=${checks}`)
      expect([last.status, last.headers.get('refresh')]).toEqual([200, null])
      const text = await last.text()
      expect(text).toContain('Your payment is being confirmed')
      expect(text).toContain('Check again')
    }
  })
})
