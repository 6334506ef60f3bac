// A customer on a phone types something wrong once: the page says what, has the focus there and keeps what was typed.
import { expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { siteAccountOf } from '../../../src/auth/accounts/verbs.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { createBooking } from '../../../src/features/booking/bookings/verbs/create-booking.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from '../../support/booking-fixture.ts'
import { watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { codeFor, newAddress } from '../../support/customers.ts'
import { findFreePro } from '../../support/free-pro.ts'

const PHONE = { width: 390, height: 844 }
const world = await useConsole()
const pro = await findFreePro(world.app)

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** The one message of the page has the focus and is on the first screen. */
async function expectMessage(page: Page, text: string): Promise<void> {
  const message = page.getByRole('alert')
  await message.waitFor()
  expect(await message.innerText()).toBe(text)
  expect(await page.locator(':focus').innerText()).toBe(text)
  const box = await message.boundingBox()
  expect(box !== null && box.y >= 0 && box.y + box.height <= PHONE.height).toBe(true)
}

/** The message names the field; beside it stand what was typed and the error. */
async function expectError(page: Page, label: string, { typed, error }: { typed: string; error: string }) {
  await expectMessage(page, `Please correct: ${label}`)
  const field = page.getByLabel(label, { exact: true })
  expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([typed, 'true'])
  expect(await page.locator('.fault').allInnerTexts()).toEqual([error])
}

/** Signs in after a wrong address, without a code and with a wrong one. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${world.url}/my/sign-in?next=/my/data`)
  await page.getByLabel('E-mail address').fill('ann@example')
  await press(page, 'Send me a code')
  await expectError(page, 'E-mail address', { typed: 'ann@example', error: 'Must be an e-mail address.' })
  await page.getByLabel('E-mail address').fill(email)
  await press(page, 'Send me a code')
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await press(page, 'Sign in')
  await expectError(page, 'Code', { typed: '', error: 'Is required.' })
  const code = await codeFor(world.app, email)
  const wrong = code.startsWith('1') ? '2222 2222' : '1111 1111'
  await page.getByLabel('Code').fill(wrong)
  await press(page, 'Sign in')
  // The form without a code was no try.
  await expectError(page, 'Code', { typed: wrong, error: 'Wrong code. You can try 4 more times.' })
  await page.getByLabel('Code').fill(code)
  await press(page, 'Sign in')
  await page.getByText(`Signed in as ${email}`).waitFor()
}

async function book(email: string, slot: { date: string; time: string }): Promise<string> {
  const { id: accountId } = await siteAccountOf(world.app.deps)()
  const { booking } = await createBooking(ctxOf(world.app.deps, { accountId }), {
    professionalId: pro.id,
    serviceId: pro.service,
    ...slot,
    customer: { name: 'Demo Customer', email, phone: VISIT_PHONE },
    address: VISIT_ADDRESS,
    defaultLength: 'service',
  })
  return booking.id
}

/** The time of a link in the calendar. */
const timeOf = async (page: Page, nth: number) => {
  const { searchParams } = new URL((await page.locator('.slots a').nth(nth).getAttribute('href')) ?? '', world.url)
  return { date: searchParams.get('date') ?? '', time: searchParams.get('time') ?? '' }
}

test('signing in names a wrong address and a wrong code, and leads on to the page that was asked for', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await watchPage(world.browser, { viewport: PHONE, javaScriptEnabled })
    await signIn(page, newAddress())
    expect(new URL(page.url()).pathname).toBe('/my/data')
    await page.context().close()
  }
}, 60_000)

test('erasing the data names an address that is not the customer’s', async () => {
  const { page } = await watchPage(world.browser, { viewport: PHONE })
  const email = newAddress()
  await signIn(page, email)
  const label = 'Type your e-mail address to confirm'
  await page.getByLabel(label).fill('ann@test.example')
  await press(page, 'Erase my data')
  await expectError(page, label, { typed: 'ann@test.example', error: 'Is not your e-mail address.' })
  await page.context().close()
}, 60_000)

test('moving a booking says that a time does not exist or was taken, and the times are there to choose from', async () => {
  const { page } = await watchPage(world.browser, { viewport: PHONE })
  const email = newAddress()
  await page.goto(`${world.url}/pros/${pro.id}/book?service=${pro.service}`)
  const id = await book(email, await timeOf(page, 0))
  await signIn(page, email)
  await page.goto(`${world.url}/my/bookings/${id}/move?date=2026-02-30&time=25:00`)
  expect(await page.getByRole('status').innerText()).toBe('There is no such day or time. Choose a day and a time.')
  const taken = await timeOf(page, -1)
  await page.locator('.slots a').last().click()
  await page.getByRole('button', { name: 'Move the booking' }).waitFor()
  await book(newAddress(), taken)
  await press(page, 'Move the booking')
  await expectMessage(page, 'This time is no longer available. Choose another one.')
  await page.locator('.slots a').nth(1).click()
  await press(page, 'Move the booking')
  await page.getByText('Your booking was moved to').waitFor()
  await page.context().close()
}, 60_000)

test('looking for a booking names a missing code and a wrong one', async () => {
  const watched = await watchPage(world.browser, { viewport: PHONE })
  const { page } = watched
  await page.goto(`${world.url}/bookings`)
  await press(page, 'Find booking')
  await expectError(page, 'Confirmation code', { typed: '', error: 'Is required.' })
  await page.getByLabel('Confirmation code').fill('hth-000000000000')
  await press(page, 'Find booking')
  await page.getByRole('heading', { name: 'No booking has this code' }).waitFor()
  const error = 'Check the code in your message.'
  await expectError(page, 'Confirmation code', { typed: 'HTH-000000000000', error })
  // The browser logs each response that refuses a form.
  expect(watched.errors.splice(0).length).toBe(2)
  await checkPage(watched, 'wrong-booking-code')
  await page.context().close()
}, 60_000)
