// A pro in the console, in a real browser: bookings, leads and quotes, proposals, agent tasks.
import { afterEach, describe, expect, test } from 'bun:test'

import { createBooking } from '../../../src/features/booking/bookings/verbs/create-booking.ts'
import { addMember } from '../../../src/features/business/members/verbs/team.ts'
import { reserveTask, settleTask } from '../../../src/features/agents/metering/verbs.ts'
import { addNotice } from '../../../src/features/messages/notices/verbs.ts'
import { propose } from '../../../src/features/agents/proposals/verbs/proposals.ts'
import { createRfq } from '../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { ctxOf } from '../../../src/ctx.ts'

const HOSTILE = `<img src=x onerror="alert(1)"> & <b>bold</b>`
/** Unescaped in a `mailto:` link it names a second recipient and a text. */
const HOSTILE_EMAIL = 'a?cc=mallory%40test.example&body=hi@test.example'

const world = await useConsole()
const { app, pro } = world
const [row] = await app.deps.write.run<{ accountId: string; serviceId: string }>(
  'readyPro',
  (sql) => sql`
      with ready as (
        update professionals set instant_booking_enabled = true, requires_approval = true, deposit_required = false,
          deposit_percentage = null, plan = 'business', time_zone = 'UTC',
          business_hours = (select jsonb_object_agg(day, '[{"start":"00:00","end":"24:00"}]'::jsonb)
            from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as day)
        where id = ${pro.id} returning id, account_id),
      open as (
        update professional_services o set instant_book_enabled = true from ready where o.professional_id = ready.id
        returning o.service_id)
      select ready.account_id, (select service_id from open limit 1) from ready`,
)
if (!row) throw new Error('The pro is not there.')
const accountId = row.accountId
await insertFixtures(row.serviceId)
const watched = await world.logIn('pro')
afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

/** The bookings, leads, proposals and notices before the tests. */
async function insertFixtures(serviceId: string): Promise<void> {
  const { deps } = world.app
  const professionalId = world.pro.id
  const owner = { accountId, professionalId }
  const customer = { name: HOSTILE, email: HOSTILE_EMAIL }
  for (const time of ['10:00', '13:00', '16:00'])
    await createBooking(ctxOf(deps, owner), {
      professionalId,
      serviceId,
      date: '2026-06-20',
      time,
      customer,
      description: `The tap drips. ${HOSTILE}`,
    })
  for (const description of [
    `The gutter leaks. ${HOSTILE}`,
    'A new fence of about sixty feet, cedar if it can be had.',
  ])
    await createRfq(ctxOf(deps, owner), { professionalId, serviceId, customer, description, budget: 'About $500' })
  await addMember(ctxOf(deps, owner), { name: 'Crew 1', email: 'crew@test.example' })
  await propose(ctxOf(deps, owner), { kind: 'business_profile', change: { description: `All of it. ${HOSTILE}` } })
  await propose(ctxOf(deps, owner), { kind: 'business_profile', change: { businessName: 'Fences and Gutters' } })
  await ctxOf(deps).transaction('addNotice', (ctx) =>
    addNotice(ctx, { kind: 'agent_tasks_low', data: { left: 20, of: 100 }, accountId }),
  )
  for (let n = 0; n < 7; n++) {
    const taskId = crypto.randomUUID()
    await reserveTask(ctxOf(deps), { taskId, kind: n % 2 ? 'run_agent' : 'prepare_quote', professionalId })
    await settleTask(ctxOf(deps), { professionalId, taskId })
  }
}

const openPage = (name: string) =>
  watched.page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click()
const open = (summary: string) => watched.page.locator('summary', { hasText: summary }).first().click()
const seesStatus = (text: string | RegExp) => watched.page.getByRole('status').getByText(text).waitFor()

/** The link to the customer's address writes to that address alone. */
async function expectOneRecipient() {
  const { search, pathname } = new URL((await watched.page.locator('a[href^="mailto:"]').getAttribute('href')) ?? '')
  expect([search, decodeURIComponent(pathname)]).toEqual(['', HOSTILE_EMAIL])
}

test('the overview lists open work, and a notice can be marked as read', async () => {
  const { page } = watched
  await page.getByText('agent tasks left').waitFor()
  await checkPage(watched, 'console-overview-pro')
  await page.getByRole('button', { name: 'Mark as read' }).click()
  await seesStatus('marked as read')
  expect(await page.getByText('agent tasks left').count()).toBe(0)
})

describe('bookings', () => {
  const openBooking = async (n: number) => {
    await openPage('Bookings')
    await watched.page.getByRole('navigation', { name: 'Bookings' }).getByRole('link', { name: 'To confirm' }).click()
    await watched.page.getByRole('row').nth(n).getByRole('link').click()
  }

  test('are listed by status and can be confirmed and assigned', async () => {
    const { page } = watched
    await openPage('Bookings')
    await checkPage(watched, 'console-bookings')
    await openBooking(1)
    await checkPage(watched, 'console-booking')
    await expectOneRecipient()
    expect(await page.locator('main img').count()).toBe(0)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await seesStatus('The booking is confirmed')
    await open('Assign')
    await page.getByLabel('Team member').selectOption('Crew 1')
    await page.getByRole('button', { name: 'Assign booking' }).click()
    await seesStatus('The booking is assigned')
    expect(await page.locator('.pairs').innerText()).toContain('Crew 1')
  })

  test('offer no action before its time: completing waits for the visit', async () => {
    const { page } = watched
    await page.getByText('Move to another time').waitFor()
    expect(await page.getByRole('button', { name: 'Mark as completed' }).count()).toBe(0)
  })

  test('can be rejected with a reason', async () => {
    const { page } = watched
    await openBooking(1)
    await open('Reject')
    await page.getByLabel('Why you reject it').fill('We are away that day.')
    await page.getByRole('button', { name: 'Reject booking' }).click()
    await seesStatus('The booking is rejected')
    expect(await page.locator('.heading').innerText()).toContain('Cancelled')
  })
})

describe('leads', () => {
  test('can be answered with a quote, whose link is shown once', async () => {
    const { page, errors } = watched
    await openPage('Leads')
    await checkPage(watched, 'console-leads')
    await page
      .getByRole('row', { name: /A new fence/ })
      .getByRole('link')
      .click()
    await page.getByLabel('Description of line item 1').fill('Cedar boards')
    await page.getByLabel('Quantity of line item 1').fill('60')
    await page.getByRole('button', { name: 'Send quote' }).click()
    await page.getByText('Each line item needs').waitFor()
    expect(errors.splice(0)).toEqual([expect.stringContaining('400') as string])
    expect(await page.getByLabel('Quantity of line item 1').inputValue()).toBe('60')
    await page.getByLabel('Price each of line item 1').fill('12.50')
    // The second row stays empty.
    await page.getByLabel('Description of line item 3').fill('Labor')
    await page.getByLabel('Quantity of line item 3').fill('8')
    await page.getByLabel('Price each of line item 3').fill('65')
    expect(await page.locator('[data-total]').innerText()).toContain('$1,270')
    await page.getByLabel('Deposit').fill('20')
    await checkPage(watched, 'console-lead-quote')
    await page.getByRole('button', { name: 'Send quote' }).click()
    await seesStatus('The quote is sent')
    // The link acts as the customer, so it goes by mail only.
    expect(await page.content()).not.toContain(`${world.url}/quotes/`)
    expect(await page.getByRole('table', { name: 'Quotes' }).innerText()).toContain('$1,270')
    await checkPage(watched, 'console-lead')
  })

  test('can be archived', async () => {
    await openPage('Leads')
    await watched.page
      .getByRole('row', { name: /The gutter leaks/ })
      .getByRole('link')
      .click()
    await watched.page.getByRole('heading', { level: 1 }).waitFor()
    await expectOneRecipient()
    expect(await watched.page.locator('main img').count()).toBe(0)
    await open('Archive')
    await watched.page.getByRole('button', { name: 'Archive lead' }).click()
    await seesStatus('The lead is archived')
  })
})

test('proposals show their changes and can be confirmed or dismissed', async () => {
  const { page } = watched
  await openPage('Proposals')
  await checkPage(watched, 'console-proposals')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Fences and Gutters' })
    .getByRole('button', { name: 'Confirm' })
    .click()
  await seesStatus('Done')
  expect(await page.locator('.who').innerText()).toContain('Fences and Gutters')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await seesStatus('The proposal is dismissed')
  await page.getByRole('link', { name: 'Confirmed' }).click()
  await page.getByText('Fences and Gutters').first().waitFor()
})

test('a pro sees the remaining agent tasks and their use by day', async () => {
  await openPage('Agent tasks')
  await watched.page.locator('.chart canvas').waitFor()
  expect(await watched.page.locator('.figures').innerText()).toContain('993')
  await checkPage(watched, 'console-tasks')
})

test('a pro has keys, webhooks and usage like a developer', async () => {
  for (const name of ['API keys', 'Webhooks', 'Usage']) {
    await openPage(name)
    await watched.page.getByRole('heading', { name, level: 1 }).waitFor()
  }
})

test('a pro sets a deposit and clears it; a wrong percentage is explained beside its field', async () => {
  const { page } = watched
  const settings = async () =>
    await world.app.deps.write.run(
      'depositOf',
      (sql) => sql`select deposit_required, deposit_percentage::float8 from professionals where id = ${world.pro.id}`,
    )
  await page.goto(`${world.url}/console/settings`)
  await checkPage(watched, 'console-pro-settings')
  const save = async (percentage: string, answer: string) => {
    await page.getByLabel('Deposit, % of the price').fill(percentage)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText(answer).waitFor()
  }
  await save('33.333', 'Must have at most 2 decimals')
  expect(watched.errors.splice(0)).toEqual([expect.stringContaining('400') as string])
  await save('12.5', 'Your settings are saved.')
  expect(await settings()).toEqual([{ depositRequired: true, depositPercentage: 12.5 }])
  expect(await page.getByLabel('Deposit, % of the price').inputValue()).toBe('12.5')
  await save('', 'Your settings are saved.')
  expect(await settings()).toEqual([{ depositRequired: false, depositPercentage: null }])
  const zone = page.getByLabel('Time zone')
  const own = await zone.inputValue()
  await zone.selectOption('America/Phoenix')
  await save('', 'Your settings are saved.')
  expect(await zone.inputValue()).toBe('America/Phoenix')
  await zone.selectOption(own)
  await save('', 'Your settings are saved.')
})

test('a pro makes the address of a calendar and ends it', async () => {
  const { page } = watched
  await page.goto(`${world.url}/console/settings`)
  await page.getByRole('button', { name: 'Make an address' }).first().click()
  const address = await page.getByLabel('Address of the calendar').inputValue()
  expect(await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')).toBe(
    address.replace(/^https?:/, 'webcal:'),
  )
  await checkPage(watched, 'console-pro-calendar')
  expect(await (await fetch(address)).text()).toStartWith('BEGIN:VCALENDAR')
  await page.getByRole('button', { name: 'End it' }).click()
  await page.getByText('The address of the calendar no longer works.').waitFor()
  expect((await fetch(address)).status).toBe(404)
})
