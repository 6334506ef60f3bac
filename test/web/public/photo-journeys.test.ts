// Photos of a request and of a review in a browser on a phone: with scripts at once, without scripts with the form.
import { describe, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { fillAddress, watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { mailTo, newAddress } from '../../support/customers.ts'
import { TOUCHED_PHONE } from '../../support/page-faults.ts'
import { quotingPro } from '../../support/quotes.ts'
import { SVG, pictures } from '../../support/request-photos.ts'
import { somePicture, whileDecoding } from '../../support/uploads.ts'

const world = await useConsole()
const { app, url } = world
const pro = await quotingPro(app)

const photo = (buffer: Buffer, name = 'photo.jpg') => ({ name, mimeType: 'image/jpeg', buffer })

async function fillIn(page: Page): Promise<void> {
  await page.goto(`${url}/pros/${pro.slug}/quote`)
  await page.getByLabel('What do you need?').fill('The gutter leaks at the corner.')
  await fillAddress(page)
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByLabel('E-mail address').fill(newAddress())
}
const askAndSee = async (page: Page, count: number) => {
  await page.getByRole('button', { name: 'Ask for a quote' }).tap()
  await page.getByRole('heading', { name: 'Your request is with the pro' }).waitFor()
  expect(await page.locator('.photos img').count()).toBe(count)
}

describe('a person on a phone', () => {
  test(
    'adds photos to a request with scripts: each says what became of it, and unticked ones are left out',
    () =>
      whileDecoding(
        app,
        (async () => {
          const visit = await watchPage(world.browser, TOUCHED_PHONE)
          const { page } = visit
          await fillIn(page)
          const [first, second, third] = await pictures(3)
          await page
            .getByLabel('Photos optional', { exact: true })
            .setInputFiles([
              photo(first ?? SVG, 'roof.jpg'),
              photo(second ?? SVG, 'gutter.jpg'),
              photo(SVG, 'drawing.jpg'),
              photo(third ?? SVG, 'door.jpg'),
            ])
          await page.getByText('drawing.jpg: Drawings in SVG are not taken.').waitFor()
          for (const name of ['roof', 'gutter', 'door']) await page.getByText(`${name}.jpg: ready`).waitFor()
          await checkPage(visit, 'ask-with-photos')
          await page.getByLabel('door.jpg: ready').uncheck()
          expect(await page.getByLabel('What do you need?').inputValue()).toBe('The gutter leaks at the corner.')
          await askAndSee(page, 2)
          await checkPage(visit, 'request-with-photos')
          await page.context().close()
        })(),
      ),
    90_000,
  )

  test(
    'adds photos to a request without scripts, after one of them was refused',
    () =>
      whileDecoding(
        app,
        (async () => {
          const { page } = await watchPage(world.browser, { ...TOUCHED_PHONE, javaScriptEnabled: false })
          await fillIn(page)
          await page
            .getByLabel('Photos optional', { exact: true })
            .setInputFiles([photo(await somePicture()), photo(SVG, 'drawing.jpg')])
          await page.getByRole('button', { name: 'Ask for a quote' }).tap()
          await page.getByText('1 photo was not taken. Drawings in SVG are not taken.').waitFor()
          expect(await page.getByLabel('What do you need?').inputValue()).toBe('The gutter leaks at the corner.')
          expect(await page.getByLabel('Your picture is uploaded.').count()).toBe(1)
          await page.getByLabel('Photos optional', { exact: true }).setInputFiles([photo(await somePicture())])
          await askAndSee(page, 2)
          await page.context().close()
        })(),
      ),
    90_000,
  )

  test.each([true, false])(
    'adds a photo to a review, signed in, with scripts: %p',
    (javaScriptEnabled) =>
      whileDecoding(
        app,
        (async () => {
          const email = newAddress()
          const visit = await watchPage(world.browser, { ...TOUCHED_PHONE, javaScriptEnabled })
          const { page } = visit
          await bookAndComplete(email)
          await page.goto(`${url}/my`)
          await page.getByLabel('E-mail address').fill(email)
          await page.getByRole('button', { name: 'Send me a code' }).tap()
          await page.getByLabel('Code').fill((await mailTo(app, email)).code)
          await page.getByRole('button', { name: 'Sign in' }).tap()
          await page.getByRole('link', { name: /^Write a review/ }).tap()
          await page.getByLabel('5 stars').check({ force: true })
          await page.getByLabel('Your review').fill('On time, and the drain is clear.')
          await page.getByLabel('Your name').fill('Demo Customer')
          await page
            .getByLabel('Photos optional', { exact: true })
            .setInputFiles([photo(await somePicture(), 'drain.jpg')])
          if (javaScriptEnabled) {
            await page.getByText('drain.jpg: ready').waitFor()
            await checkPage(visit, 'review-with-photos')
          }
          await page.getByRole('button', { name: 'Send the review' }).tap()
          await page.getByText('A moderator reads the review').waitFor()
          const [row] = await app.sql<
            { photos: unknown[] }[]
          >`select photos from reviews where customer_email = ${email}`
          expect(row?.photos.length).toBe(1)
          await page.context().close()
        })(),
      ),
    90_000,
  )
})

/** A visit of the customer that is over. */
async function bookAndComplete(email: string): Promise<void> {
  const key = await app.key(['bookings:write'])
  const [offer] = await app.sql<{ professionalId: string; serviceId: string }[]>`
    select professional_id as "professionalId", service_id as "serviceId" from professional_services
    where professional_id = ${pro.professionalId} order by service_id limit 1`
  const json = { ...offer, date: '2026-06-03', time: '10:00', customer: { name: 'Demo Customer', email } }
  const answer = await app.send('/api/v1/bookings', { key, json })
  if (answer.status !== 201) throw new Error(await answer.text())
  await app.sql`update bookings set status = 'completed', completed_at = ends_at where customer_email = ${email}`
}
