// The form of a quote request asks the questions of the chosen service, with and without scripts.
import { describe, expect, test } from 'bun:test'

import { VISIT_ADDRESS, VISIT_PHONE } from '../../support/booking-fixture.ts'
import { fillAddress, watchPage } from '../../support/browser.ts'
import { useConsole } from '../../support/console.ts'
import { axeFaults, cutOff } from '../../support/page-faults.ts'
import { SIZE, WATER, askAbout } from '../../support/questions.ts'
import { type QuotingPro, quotingPro } from '../../support/quotes.ts'
import { type Visitor, visitorFromNewAddress } from '../../support/visitor.ts'

const world = await useConsole()
const pro = await quotingPro(world.app)
/** Another service of the pro, with a question of its own and one that both ask. */
const other = await furtherService(pro)
const FILTER = { question: 'When was the filter <last> changed?', required: false, choices: [] }
await askAbout(world.app, pro.serviceId, [SIZE, WATER])
await askAbout(world.app, other, [FILTER, WATER])

async function furtherService({ professionalId, serviceId }: QuotingPro): Promise<string> {
  const [offer] = await world.app.sql<{ serviceId: string }[]>`
    select service_id from professional_services where professional_id = ${professionalId} and service_id <> ${serviceId} limit 1`
  return offer?.serviceId ?? ''
}

const PATH = `/pros/${pro.slug}/quote`
const FIELDS = {
  description: 'The gutter leaks at the corner.',
  phone: VISIT_PHONE,
  ...VISIT_ADDRESS,
  name: 'Demo Customer',
  email: 'customer@demo.example',
}
const ask = (visitor: Visitor, fields: Record<string, string>) =>
  visitor.postRaw(PATH, { ...FIELDS, idempotencyKey: crypto.randomUUID(), ...fields })
/** The name of the field with this label. */
const nameOf = (text: string, question: string) =>
  new RegExp(`<label for="([^"]+)">${question.replace(/[?]/g, '\\?')}`).exec(text)?.[1] ?? ''

async function newestLead() {
  const list = await world.app.send('/api/v1/pro/leads?limit=1', { key: pro.key })
  const { rfqs } = (await list.json()) as { rfqs: [{ id: string }] }
  const lead = await world.app.send(`/api/v1/pro/leads/${rfqs[0].id}`, { key: pro.key })
  return ((await lead.json()) as { rfq: Record<string, unknown> & { id: string } }).rfq
}

describe('without scripts', () => {
  test('the questions of the chosen service are shown, and the answers are sent', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const { text } = await visitor.get(`${PATH}?service=${pro.serviceId}`)
    expect(text).toContain(`name="asked" value="${pro.serviceId}"`)
    const [size, water] = [nameOf(text, SIZE.question), nameOf(text, WATER.question)]
    const shown = { service: pro.serviceId, asked: pro.serviceId }
    const missing = await ask(visitor, { ...shown, [size]: ' ', [water]: 'No' })
    expect([missing.status, missing.text]).toEqual([400, expect.stringContaining(`href="#${size}">${SIZE.question}`)])
    expect(missing.text).toContain('<option value="No" selected')
    const odd = await ask(visitor, { ...shown, [size]: '800', [water]: 'Sometimes' })
    expect([odd.status, odd.text]).toEqual([400, expect.stringContaining(`href="#${water}"`)])
    const sent = await ask(visitor, { ...shown, [size]: '800 & more', [water]: '' })
    expect(sent.status).toBe(303)
    const answers = [{ question: SIZE.question, answer: '800 & more' }]
    expect(await newestLead()).toMatchObject({ answers, service: { id: pro.serviceId } })
    expect((await visitor.get(sent.location ?? '')).text).toMatch(/How many square feet\?.*800 &amp; more/s)
  })

  test('another service is asked about when the form is sent, and nothing that was typed is lost', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const { text } = await visitor.get(`${PATH}?service=${pro.serviceId}`)
    const [size, water] = [nameOf(text, SIZE.question), nameOf(text, WATER.question)]
    const typed = { [size]: '800', [water]: '' }
    const asking = await ask(visitor, { service: other, asked: pro.serviceId, ...typed })
    expect([asking.status, asking.text]).toEqual([
      400,
      expect.stringContaining('There are questions about this service'),
    ])
    expect(asking.text).toContain('The gutter leaks at the corner.</textarea>')
    expect(asking.text).toContain(`name="asked" value="${other}"`)
    expect(asking.text).toMatch(new RegExp(`<div data-services="${pro.serviceId}" hidden>.*?value="800"`, 's'))
    const filter = nameOf(asking.text, 'When was the filter &lt;last> changed?')
    // What the customer does not know stays open.
    const sent = await ask(visitor, { service: other, asked: other, ...typed, [filter]: 'In May' })
    expect(sent.status).toBe(303)
    expect((await newestLead())['answers']).toEqual([{ question: FILTER.question, answer: 'In May' }])
    expect((await ask(visitor, { service: 'other', asked: other, ...typed })).status).toBe(303)
    expect((await newestLead())['answers']).toEqual([])
  })
})

test('on a phone the questions follow the choice of the service, and the pro reads the answers', async () => {
  const visit = await watchPage(world.browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const { page } = visit
  await page.goto(`${world.url}${PATH}?service=${other}`)
  await page.getByLabel('What do you need?').fill('The gutter leaks at the corner.')
  const [size, filter] = [page.getByLabel(SIZE.question), page.getByLabel(FILTER.question)]
  expect([await size.isVisible(), await filter.isVisible()]).toEqual([false, true])
  await page.getByLabel(WATER.question).selectOption('Yes')
  await filter.fill('In May')
  await page.getByLabel('Service').selectOption(pro.serviceId)
  expect([await size.isVisible(), await filter.isVisible()]).toEqual([true, false])
  expect(await page.getByLabel(WATER.question).inputValue()).toBe('Yes')
  expect([await axeFaults(page), await cutOff(page)]).toEqual([[], []])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await fillAddress(page)
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByLabel('E-mail address').fill('customer@demo.example')
  await page.getByRole('button', { name: 'Ask for a quote' }).tap()
  await page.getByRole('alert').getByRole('link', { name: SIZE.question }).tap()
  await size.fill('800')
  await visit.screenshot('request-questions')
  await page.getByRole('button', { name: 'Ask for a quote' }).tap()
  await page.getByRole('heading', { name: 'Your request is with the pro' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain(SIZE.question)
  const lead = await newestLead()
  expect(lead['answers']).toEqual([
    { question: SIZE.question, answer: '800' },
    { question: WATER.question, answer: 'Yes' },
  ])
  expect([visit.outside, visit.errors.filter((error) => !error.includes('400'))]).toEqual([[], []])
  await page.context().close()
}, 90_000)
