// A person applies on a phone by thumb, an operator approves on a wide screen, and a customer finds the new pro.
import { expect, test } from 'bun:test'

import { letProsJoin } from '../../support/applications.ts'
import { watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { mailTo, newAddress } from '../../support/customers.ts'

const PHONE = { width: 390, height: 844 }
const world = await useConsole()

test('from the page for pros on a phone to a customer who finds the pro', async () => {
  await letProsJoin(world.app)
  const visit = await watchPage(world.browser)
  const { page } = visit
  const [email, business] = [newAddress(), 'Thumb Drain Works']
  await page.setViewportSize(PHONE)
  const goOn = () => page.getByRole('button', { name: 'Save and go on' }).click()
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const step = async (name: string, path: string) => {
    await heading(name)
    expect(page.url()).toBe(world.url + path)
  }

  await page.goto(`${world.url}/for-pros`)
  await page.getByRole('link', { name: 'Apply to join' }).first().click()
  await step('Apply to join', '/for-pros/join')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await heading('Enter your code')
  await page.getByLabel('Code').fill((await mailTo(world.app, email)).code)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await step('Your business', '/for-pros/join/business')
  await page.getByLabel('Business name').fill(business)
  await page.getByLabel('Your name').fill('A. Applicant')
  await page.getByLabel('Phone').fill('12')
  await goOn()
  await page.getByText('Enter the whole number.').waitFor()
  // The browser reports the status of the refused form.
  visit.errors.length = 0
  await page.getByLabel('Phone').fill('614 555 0142')
  await goOn()
  await step('Where you work', '/for-pros/join/place')
  await page.getByLabel('Where you are').fill('12 Oak Street, Columbus, OH 43215')
  await goOn()
  await step('What you do', '/for-pros/join/services')
  await page.getByText('Plumbing', { exact: true }).click()
  await page.getByLabel('Drain cleaning').check()
  await checkPage(visit, 'join-services')
  await goOn()
  await step('Your prices', '/for-pros/join/prices')
  await page.getByLabel(/Drain cleaning: price/i).fill('140')
  await checkPage(visit, 'join-prices')
  await goOn()
  await step('When you work', '/for-pros/join/hours')
  await goOn()
  await step('License and insurance', '/for-pros/join/license')
  await page.getByLabel('Insurer').fill('State Mutual')
  await goOn()
  await step('Look it through and send it', '/for-pros/join/preview')
  await page.getByText('$140 per visit').waitFor()
  await checkPage(visit, 'join-preview')
  await page.getByRole('button', { name: 'Send the application' }).click()
  await heading('We have your application')

  const operator = await world.logIn('operator')
  await operator.page.setViewportSize({ width: 1280, height: 800 })
  await operator.page.goto(`${world.url}/console/applications`)
  await operator.page.getByRole('link', { name: business }).click()
  await operator.page.waitForURL('**/console/applications/*')
  await checkPage(operator, 'application')
  await operator.page.getByRole('button', { name: 'Approve' }).click()
  await operator.page.getByText('Approved: customers find the pro').waitFor()

  await page.reload()
  await heading('You are on')
  const [pro] = await world.app.sql<
    { slug: string }[]
  >`select slug from professionals where business_name = ${business}`
  await operator.page.goto(`${world.url}/?service=drain-cleaning&place=Columbus, OH`)
  await operator.page.getByRole('link', { name: business }).first().waitFor()
  expect((await operator.page.goto(`${world.url}/pros/${pro?.slug}`))?.status()).toBe(200)
}, 60_000)
