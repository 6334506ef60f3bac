// A developer in the console, in a real browser: keys, webhooks and their deliveries, usage.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { usageOf } from '../../../src/auth/keys/verbs/usage.ts'
import { sendTest } from '../../../src/webhooks/endpoints/verbs/deliveries.ts'
import { DeliveryDispatcher } from '../../../src/webhooks/delivery/dispatcher.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import type { WatchedPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { deliverAboutBooking } from '../../support/delivered-booking.ts'
import { pretendUsage } from '../../support/pretended-usage.ts'
import { type Receiver, openReceiver } from '../../support/receiver.ts'
import { ctxOf } from '../../../src/ctx.ts'

const HOSTILE = `"><img src=x onerror="alert(1)"><script>alert(2)</script>'`

const world = await useConsole({ env: { WEBHOOK_ALLOW_PRIVATE: '1' } })
let receiver: Receiver
let watched: WatchedPage
const stop = new AbortController()
let delivering: Promise<void>

beforeAll(async () => {
  receiver = openReceiver()
  delivering = new DeliveryDispatcher(world.app.deps).run(stop.signal)
  watched = await world.logIn('developer')
})
afterAll(async () => {
  stop.abort()
  await delivering
  await receiver.stop()
})
afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

const openPage = (name: string) =>
  watched.page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click()
const open = (summary: string) => watched.page.locator('summary', { hasText: summary }).first().click()
const secret = () => watched.page.locator('#secret')

describe('a key', () => {
  let key: string

  test('is created from a preset and shown once', async () => {
    const { page } = watched
    await openPage('API keys')
    await checkPage(watched, 'console-keys-none')
    await page.getByLabel('Name').fill('Website, production')
    await page.getByLabel('Access').selectOption('full-server')
    await page.getByRole('button', { name: 'Create key' }).click()
    key = await secret().inputValue()
    expect(key).toMatch(/^hearth_live_\w{32}$/)
    await checkPage(watched, 'console-keys-made')
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${world.url}/api/v1/rfqs?email=a@test.example`, { headers })).status).toBe(200)
    await page.reload()
    expect(await secret().count()).toBe(0)
    expect(await page.content()).not.toContain(key)
  })

  test('for a widget needs an origin, with the error beside the field; its limits can be reduced', async () => {
    const { page, errors } = watched
    await open('Create a key')
    await page.getByLabel('Name').fill(HOSTILE)
    await page.getByLabel('Access').selectOption('widget')
    await page.getByLabel('Rate limits').fill('50')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Is required with widget scopes').waitFor()
    // The browser logs a 400 response as an error.
    expect(errors.splice(0)).toEqual([expect.stringContaining('400') as string])
    expect(await page.getByLabel('Name').inputValue()).toBe(HOSTILE)
    await checkPage(watched, 'console-keys-refused')
    await page.getByLabel('Origin').fill('https://shop.example')
    await page.getByLabel('Expires on').fill('2027-01-01')
    await page.getByRole('button', { name: 'Create key' }).click()
    await secret().waitFor()
    const row = page.getByRole('row', { name: 'https://shop.example' })
    expect(await row.innerText()).toContain('50%')
    expect(await row.innerText()).toContain(HOSTILE)
    expect(await page.locator('main img').count()).toBe(0)
  })

  test('can be rotated with an overlap, and revoked', async () => {
    const { page } = watched
    const row = () => page.getByRole('row', { name: 'Website, production' })
    await row().first().locator('summary', { hasText: 'Rotate' }).click()
    await row().first().getByRole('button', { name: 'Rotate “' }).click()
    const successor = await secret().inputValue()
    expect(successor).not.toBe(key)
    await checkPage(watched, 'console-keys')
    expect(await row().allInnerTexts()).toEqual([
      expect.stringContaining('Active') as string,
      expect.stringContaining('Replaced') as string,
    ])
    await row().first().locator('summary', { hasText: 'Revoke' }).click()
    await row().first().getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('The key is revoked').waitFor()
    const response = await fetch(`${world.url}/api/v1/cities`, { headers: { authorization: `Bearer ${successor}` } })
    expect(response.status).toBe(401)
  })

  test('appears on the usage page, with requests by day and by key', async () => {
    const { page } = watched
    const ask = (path: string) => fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    for (let n = 0; n < 5; n++) await ask('/api/v1/cities')
    await ask('/api/v1/pros?limit=many')
    await usageOf(world.app.deps).flush()
    await pretendUsage(world.app.deps)
    await openPage('Usage')
    await page.locator('.chart canvas').waitFor()
    const row = page.getByRole('table', { name: 'Requests by key' }).getByRole('row', { name: 'Website' }).first()
    // Five requests, one refused, and the first request with the new key.
    expect(await row.innerText()).toMatch(/7\s+1\s+0\s+0/)
    await checkPage(watched, 'console-usage')
  })
})

let signingSecret = ''

describe('a webhook', () => {
  test('is created with a secret that is shown once, and receives a test event', async () => {
    const { page } = watched
    await openPage('Webhooks')
    await checkPage(watched, 'console-webhooks-none')
    await page.getByLabel('Name').fill('Orders')
    await page.getByLabel('URL').fill(`${receiver.url}/orders`)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    signingSecret = await secret().inputValue()
    expect(signingSecret).toStartWith('whsec_')
    await page.getByRole('button', { name: 'Send a test event' }).click()
    expect(await secret().count()).toBe(0)
    // The list refreshes while a delivery is in progress.
    await page.getByRole('row', { name: 'webhook.test' }).getByText('Delivered').waitFor()
    await checkPage(watched, 'console-webhook')
  })

  test('shows its responses as text, and a delivery can be sent again', async () => {
    const { page } = watched
    receiver.answer = () => new Response(HOSTILE, { status: 500, headers: { 'content-type': 'text/html' } })
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByRole('row', { name: 'webhook.test' }).first().getByText('500').waitFor()
    await page.getByRole('link', { name: 'webhook.test' }).first().click()
    await page.getByText('onerror').waitFor()
    expect(await page.locator('main img, main script').count()).toBe(0)
    await page.getByText('Request 1').click()
    // What is shown was sent: the receiver's headers have the same signature, and the command to check it finds it.
    const sent = receiver.received.at(-1)
    const signature = sent?.headers['x-webhook-signature'] ?? ''
    await page.getByRole('cell', { name: signature }).waitFor()
    const command = (await page.locator('#check').textContent()) ?? ''
    const checked = await Bun.$`bash -c ${command.replace('whsec_…', signingSecret)}`.text()
    expect(checked.trim()).toEndWith(signature.replace(/.*v1=/, ''))
    expect(await page.locator('#as-curl').textContent()).toContain(sent?.body ?? 'no body')
    await checkPage(watched, 'console-delivery')
    receiver.answer = () => new Response('ok')
    await page.goBack()
    await page.getByRole('link', { name: 'webhook.test' }).first().click()
    // The first attempt failed: the second is sent now instead of in five seconds.
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('is being sent').waitFor()
    await openPage('Webhooks')
    await page.getByRole('link', { name: 'All deliveries' }).click()
    await page.waitForURL('**/console/webhooks/deliveries')
    await checkPage(watched, 'console-deliveries')
    await page.getByLabel('Endpoint').selectOption('Orders')
    await page.getByLabel('Event').selectOption('webhook.test')
    await page.getByLabel('Status').selectOption('delivered')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('link', { name: 'webhook.test' }).first().click()
    const before = receiver.received.length
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('is being sent').waitFor()
    expect(await seen(() => receiver.received.length > before)).toBe(true)
  })

  test('its deliveries are found by the code of a booking, and watched live', async () => {
    const { page } = watched
    const { deps } = world.app
    const [endpoint] = await deps.write.run<{ id: string; accountId: string }>(
      'orders',
      (sql) => sql`select id, account_id from webhook_endpoints where name = 'Orders'`,
    )
    const code = await deliverAboutBooking(deps, endpoint?.id ?? '')
    await page.goto(`${world.url}/console/webhooks/deliveries`)
    await page.getByLabel('booking code').fill(`${code} `)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('row', { name: 'booking.completed' }).waitFor()
    expect(await page.getByRole('table').getByRole('row').count()).toBe(2)
    await page.getByLabel('booking code').fill('nothing')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('No delivery is about “nothing”').waitFor()
    await checkPage(watched, 'console-deliveries-nothing')

    await page.goto(`${world.url}/console/webhooks/deliveries?type=webhook.test`)
    await page.getByRole('link', { name: 'Watch live' }).click()
    await page.getByText('shows new deliveries by itself').waitFor()
    const link = page.getByRole('link', { name: 'webhook.test' }).first()
    const countRows = () => page.getByRole('table').getByRole('row').count()
    const rows = await countRows()
    await link.focus()
    const focused = await link.getAttribute('id')
    await sendTest(ctxOf(deps, { accountId: endpoint?.accountId ?? '' }), { id: endpoint?.id ?? '' })
    expect(await waitUntil(async () => (await countRows()) > rows, 10_000)).toBe(true)
    expect(await page.evaluate<string>('document.activeElement.id')).toBe(focused ?? 'no id')
    await checkPage(watched, 'console-deliveries-live')
    await page.getByRole('link', { name: 'Stop' }).click()
    await page.getByRole('link', { name: 'Watch live' }).waitFor()
    expect(new URL(page.url()).search).toBe('?type=webhook.test')
  })

  test('can be disabled, enabled, edited, replayed, rotated and deleted', async () => {
    const { page, errors } = watched
    await openPage('Webhooks')
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('The endpoint is disabled. It receives no more events.', { exact: true }).waitFor()
    await checkPage(watched, 'console-webhook-disabled')
    await page.getByRole('button', { name: 'Enable' }).click()
    await open('Edit')
    await page.getByLabel('URL').fill('http://name:word@127.0.0.1/orders')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#url-error').waitFor()
    expect(errors.splice(0)).toEqual([expect.stringContaining('400') as string])
    await page.getByLabel('URL').fill(`${receiver.url}/other`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The endpoint is updated').waitFor()
    await open('Send the events of a period again')
    await page.locator('#replay-state').selectOption('all')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(/Sending \d+ deliver(y|ies) again/).waitFor()
    expect(await seen(() => receiver.received.some(({ path }) => path === '/other'))).toBe(true)
    await open('Rotate the secret')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    expect(await secret().inputValue()).toStartWith('whsec_')
    await open('Delete')
    await page.getByRole('button', { name: 'Delete endpoint' }).click()
    await page.getByText('The endpoint and its deliveries are deleted').waitFor()
    await checkPage(watched, 'console-webhooks-deleted')
  })
})

test('the quickstart fills in a new key once, and its requests work when pasted', async () => {
  const { page } = watched
  await openPage('Quickstart')
  await page.getByRole('button', { name: 'Create a test key' }).click()
  const key = await secret().inputValue()
  await checkPage(watched, 'console-quickstart')
  for (const id of [1, 2, 3, 4]) {
    const command = (await page.locator(`#request-${id}`).textContent()) ?? ''
    expect(command).toContain(key)
    const answer: unknown = JSON.parse(await Bun.$`bash -c ${command}`.text())
    expect([id, answer]).toEqual([id, expect.not.objectContaining({ code: expect.anything() })])
  }
  await page.reload()
  const [shown, listen] = await page.locator('#request-1, #listen').allTextContents()
  expect(`${shown} ${listen}`).toMatch(/<your key>[\s\S]*hearth webhooks listen --port 4000/)
})

test('test mode shows its own keys, webhooks and usage on marked pages, until its data is deleted and it is left', async () => {
  const { page } = watched
  const bar = page.locator('.test-mode')
  await openPage('Webhooks')
  await page.getByText('No endpoints yet').waitFor()
  await page.getByLabel('Name').fill('Test orders')
  await page.getByLabel('URL').fill(`${receiver.url}/test-orders`)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await secret().waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByRole('row', { name: 'webhook.test' }).getByText('Delivered').waitFor()
  await checkPage(watched, 'console-test-webhook')
  await usageOf(world.app.deps).flush()
  for (const name of ['API keys', 'Usage']) {
    await openPage(name)
    expect(await bar.count()).toBe(1)
    expect(await page.getByRole('row').filter({ hasText: 'Quickstart' }).count()).toBeGreaterThan(0)
    expect(await page.getByRole('row').filter({ hasText: 'Website, production' }).count()).toBe(0)
  }
  await openPage('Test mode')
  await checkPage(watched, 'console-test-mode')
  await page.getByRole('link', { name: 'Test pro: books at once' }).click()
  await page.getByText('This pro is not real').waitFor()
  await page.goBack()
  await open('Delete all test data')
  await page.getByRole('button', { name: 'Delete all test data' }).click()
  await page.getByText('Deleted: 1 booking, 0 requests, 0 reviews').waitFor()
  await bar.getByRole('button', { name: 'Leave test mode' }).click()
  await page.getByText('Test mode is off').waitFor()
  expect(await bar.count()).toBe(0)
  await openPage('Webhooks')
  expect(await page.getByRole('row', { name: 'Test orders' }).count()).toBe(0)
})

async function seen(condition: () => boolean): Promise<boolean> {
  return await waitUntil(condition, 10_000)
}

test('the overview shows counts of keys, webhooks and requests', async () => {
  await openPage('Overview')
  await checkPage(watched, 'console-overview-developer')
})
