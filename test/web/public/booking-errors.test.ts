// A refused booking: the customer sees on a phone what to correct, all of it, and everything else stays.
import { expect, test } from 'bun:test'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { VISIT_ADDRESS } from '../../support/booking-fixture.ts'
import { watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { visitorFromNewAddress } from '../../support/visitor.ts'

const PHONE = { width: 390, height: 844 }
const world = await useConsole()
const [pro] = await world.app.sql<{ slug: string; service: string }[]>`
    select p.slug, o.service_id as service from professionals p
      join professional_services o on o.professional_id = p.id and o.instant_book_enabled
      join services s on s.id = o.service_id
    where p.active and p.instant_booking_enabled and s.at_customer and coalesce(o.duration_minutes, s.duration_minutes) <= 120
    order by p.id, o.service_id limit 1`
if (!pro) throw new Error('The seed has no such pro.')

const TYPED = {
  'Your name': '',
  'E-mail address': 'nope',
  Phone: '123',
  Street: VISIT_ADDRESS.street,
  City: '',
  State: 'Texas',
  'ZIP code': 'abcde',
}
const ERRORS = {
  'Your name': 'Is required.',
  'E-mail address': 'Must be an e-mail address.',
  Phone: 'Must be a phone number with its area code.',
  'ZIP code': 'Must be a ZIP code, such as 78701.',
  City: 'Is required.',
}

for (const javaScriptEnabled of [true, false])
  test(`a refused booking says all that is wrong at once and has the focus there, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const watched = await watchPage(world.browser, { viewport: PHONE, javaScriptEnabled })
    const { page, errors } = watched
    await page.goto(`${world.url}/pros/${pro.slug}/book?service=${pro.service}`)
    await page.locator('.slots a').first().click()
    for (const [label, text] of Object.entries(TYPED)) await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByRole('button', { name: /^Book/ }).click()

    const summary = page.getByRole('alert')
    await summary.waitFor()
    expect(await summary.innerText()).toBe(`Please correct: ${Object.keys(ERRORS).join(', ')}`)
    // The focus decides what a phone shows and what a screen reader says first.
    expect(await page.locator(':focus').innerText()).toBe(await summary.innerText())
    const box = await summary.boundingBox()
    expect(box !== null && box.y >= 0 && box.y + box.height <= PHONE.height).toBe(true)
    for (const [label, text] of Object.entries(TYPED)) {
      const field = page.getByLabel(label, { exact: true })
      expect([label, await field.inputValue()]).toEqual([label, text])
      const error = ERRORS[label as keyof typeof ERRORS]
      expect([label, await field.getAttribute('aria-invalid')]).toEqual([label, error === undefined ? null : 'true'])
      if (error !== undefined) await page.locator('.fault', { hasText: error }).first().waitFor()
    }
    await summary.getByRole('link', { name: 'ZIP code' }).click()
    expect(await page.locator(':focus').getAttribute('name')).toBe('zipCode')
    if (javaScriptEnabled) await checkPage(watched, 'refused-booking')
    expect(errors).toEqual([])
    await page.context().close()
  }, 60_000)

const DETAILS = {
  name: 'Demo Customer',
  email: 'zip@customer.test.example',
  phone: '(512) 555-0134',
  street: '2 Main Street',
}
const send = async (fields: Record<string, string>) =>
  await visitorFromNewAddress(world.app).postRaw(`/pros/${pro.slug}/quote`, {
    ...DETAILS,
    service: pro.service,
    // Without it the form is shown again, with what the server made of the address.
    description: '',
    idempotencyKey: crypto.randomUUID(),
    ...fields,
  })
const valueIn = (text: string, name: string) => {
  const [input = ''] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(text) ?? []
  return /value="([^"]*)"/.exec(input)?.[1] ?? ''
}
const faultsIn = (text: string) =>
  Object.fromEntries(
    Array.from(text.matchAll(/class="fault" id="(\w+)-error">([^<]*)/g), ([, id, fault]) => [id, fault]),
  )

test.each([
  ['only the ZIP code', { zipCode: '78701' }, { city: 'Austin', state: 'TX' }],
  ['the long form of the ZIP code', { zipCode: ' 78701-1234 ' }, { city: 'Austin', state: 'TX' }],
  ['another name of the city', { zipCode: '78701', city: 'West Austin' }, { city: 'West Austin', state: 'TX' }],
  ['the state in words', { zipCode: '78701', state: 'Texas' }, { city: 'Austin', state: 'Texas' }],
])('with %s the server fills what is left out, and changes nothing that was typed', async (_, typed, kept) => {
  const { text } = await send(typed)
  expect(faultsIn(text)).toEqual({ description: 'Is required.' })
  expect({ city: valueIn(text, 'city'), state: valueIn(text, 'state') }).toEqual(kept)
})

test('a state that is not that of the ZIP code is an error which names both, and nothing is overwritten', async () => {
  const { text } = await send({ zipCode: '78701', state: 'Ohio' })
  expect(faultsIn(text)).toMatchObject({
    zipCode: '78701 is in Austin, TX, but the state is Ohio: correct one of them.',
    state: 'Is Ohio, but the ZIP code 78701 is in Austin, TX: correct one of them.',
  })
  expect([valueIn(text, 'city'), valueIn(text, 'state')]).toEqual(['', 'Ohio'])
  // A code of one state reaches into the next: Fort Campbell lies in both.
  expect(faultsIn((await send({ zipCode: '42223', city: 'Fort Campbell', state: 'TN' })).text)).toEqual({
    description: 'Is required.',
  })
  // An unknown code says nothing about the state.
  expect(faultsIn((await send({ zipCode: '00000', state: 'TX' })).text)).toMatchObject({ city: 'Is required.' })
})

test('with scripts city and state follow while the ZIP code is typed, and what was typed stays', async () => {
  const { page, errors } = await watchPage(world.browser, { viewport: PHONE })
  await page.goto(`${world.url}/pros/${pro.slug}/quote?service=${pro.service}`)
  const [zip, city, state] = ['zipCode', 'city', 'state'].map((name) => page.locator(`[name=${name}]`))
  if (!zip || !city || !state) throw new Error('The page has no address.')
  const valuesBecome = async (...expected: string[]) => {
    await waitUntil(async () => Bun.deepEquals([await city.inputValue(), await state.inputValue()], expected), 10_000)
  }
  await zip.fill('78701')
  await valuesBecome('Austin', 'TX')
  await zip.fill('60601')
  await valuesBecome('Chicago', 'IL')
  await city.fill('Cicero')
  await zip.fill('77002')
  await valuesBecome('Cicero', 'TX')
  expect(errors).toEqual([])
  await page.context().close()
}, 60_000)

test('a refused request for a quote names the phone number and the ZIP code with everything else', async () => {
  const { text } = await visitorFromNewAddress(world.app).postRaw(`/pros/${pro.slug}/quote`, {
    service: pro.service,
    description: '',
    name: '',
    email: 'nope',
    phone: '123',
    street: VISIT_ADDRESS.street,
    city: VISIT_ADDRESS.city,
    state: VISIT_ADDRESS.state,
    zipCode: 'abcde',
    idempotencyKey: crypto.randomUUID(),
  })
  const summary = /role="alert"[^>]* autofocus[^>]*>(.*?)<\/p>/.exec(text)?.[1]
  expect([...(summary ?? '').matchAll(/href="#(\w+)"/g)].map(([, name]) => name)).toEqual([
    'description',
    'zipCode',
    'name',
    'email',
    'phone',
  ])
})
