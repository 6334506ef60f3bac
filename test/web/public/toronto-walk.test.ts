// No page, document, file, message or tool of a marketplace in Canada says a word of the United States.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../src/ctx.ts'
import { renewCalendarFeed } from '../../../src/features/calendar/calendar-feeds/verbs.ts'
import type { MessageKind } from '../../../src/features/messages/messages/kinds.ts'
import { MESSAGE_KINDS } from '../../../src/features/messages/messages/kind-facts.ts'
import { renderMessage } from '../../../src/features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../src/features/messages/messages/templates/samples.ts'
import { localizedValue, regionOf } from '../../../src/platform/text/region.ts'
import { CRAWLER_EMAIL, type Home } from '../../support/crawl/answers.ts'
import { Crawler } from '../../support/crawl/crawler.ts'
import { PEOPLE } from '../../support/crawl/people.ts'
import { opened } from '../../support/fixture.ts'
import { createTenant } from '../../support/isolation-tenants.ts'
import { createOperatorWithKey } from '../../support/operator-keys.ts'
import { SHOWN_SITE } from '../../support/site.ts'
import { TORONTO_ADDRESS, TORONTO_PHONE, americanWordsIn, moveToToronto, openToronto } from '../../support/toronto.ts'
import { type Said, textsOfAgentServers, textsOfRoutes } from '../../support/toronto-walk.ts'
import { loggedInVisitor, visitorFromNewAddress } from '../../support/visitor.ts'

const HOME: Home = { phone: TORONTO_PHONE, address: TORONTO_ADDRESS, place: 'Toronto, ON' }

const { app } = await opened(openToronto())
const tenant = await createTenant(app, CRAWLER_EMAIL, TORONTO_ADDRESS)
await moveToToronto(app)
const operator = await loggedInVisitor(app, 'operator')
const operatorKey = (await createOperatorWithKey(app)).key

const faultsIn = (texts: readonly Said[]) =>
  texts.flatMap(([where, text]) => americanWordsIn(text).map((words) => `${where}: ${words}`))

test('the words are found in a text of the United States, and not in what a person wrote', () => {
  const texts = ['ZIP code', 'within 25 miles', 'a mile away', '"USD"', 'the United States', 'Austin, TX', 'Hearth']
  expect(texts.filter((text) => americanWordsIn(text).length === 0)).toEqual([])
  expect(americanWordsIn('Homeowner in Austin, <html lang="en-US">')).toEqual([])
})

test('no route says one, whatever is wrong with the request', async () => {
  const feed = await renewCalendarFeed(ctxOf(app.deps, { professionalId: tenant.professionalId }), { memberId: null })
  const secrets = { 'GET /calendars/:token': new URL(feed).pathname.split('/').at(-1) ?? '' }
  const texts = await textsOfRoutes({ app, tenant, operator, operatorKey, secrets })
  expect(faultsIn(texts)).toEqual([])
  expect(texts.length).toBeGreaterThan(800)
  expect(texts.filter(([, text]) => text.startsWith('BEGIN:VCALENDAR')).length).toBe(1)
}, 100_000)

test('no tool, prompt or resource of an agent server says one', async () => {
  const texts = await textsOfAgentServers({ app, tenant })
  expect(faultsIn(texts)).toEqual([])
  expect(texts.length).toBeGreaterThan(80)
}, 20_000)

test.each(Object.keys(PEOPLE))(
  'no page, file or document that %s reaches says one',
  async (role) => {
    const person = await PEOPLE[role]?.(app, tenant, HOME)
    const visitor = person?.visitor ?? visitorFromNewAddress(app)
    const options = { home: HOME, wrongWordsIn: americanWordsIn }
    const crawler = new Crawler(role, visitor, app.deps.config.baseUrl, options)
    await crawler.crawl(person?.start ?? [], { ends: true })
    expect(crawler.findings.filter(({ problem }) => problem.includes(' says '))).toEqual([])
    expect(crawler.kinds.size).toBeGreaterThan(30)
  },
  100_000,
)

test('no message says one: neither those that all this has brought, nor a sample of each kind', async () => {
  const sent = await app.sql<{ id: string }[]>`select id from messages`
  expect(sent.length).toBeGreaterThan(5)
  const shown = await Promise.all(
    sent.map(async ({ id }): Promise<Said> => [id, (await operator.get(`/console/mail/${id}`)).text]),
  )
  const options = {
    site: { ...SHOWN_SITE, country: 'CA' as const },
    baseUrl: app.deps.config.baseUrl,
    from: 'a@b.example',
  }
  const samples = (Object.keys(MESSAGE_KINDS) as MessageKind[]).map((kind): Said => {
    const sample = localizedValue(regionOf(options.site), SAMPLES[kind])
    const { subject, text, html, attachments } = renderMessage(kind, sample, { ...options, to: 'c@d.example' })
    return [kind, [subject, text, html, ...attachments.map(({ content }) => content)].join('\n')]
  })
  expect(faultsIn([...shown, ...samples])).toEqual([])
  for (const [kind, text] of samples) expect([kind, text]).toEqual([kind, expect.not.stringMatching(/US\$|CA\$/)])
})
