// Every link and form of every person leads to a page with a way on.
import { expect, test } from 'bun:test'

import { systemClock } from '../../src/platform/clock/clock.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import { Crawler } from '../support/crawl/crawler.ts'
import { signedInCustomer } from '../support/customers.ts'
import { useFixture } from '../support/fixture.ts'
import { quotingPro, sentQuote } from '../support/quotes.ts'
import { type Visitor, loggedInVisitor, visitorFromNewAddress } from '../support/visitor.ts'

const app = useFixture(() => openTestApp('seeded'))

/** The people, with what they know to begin with. */
const PEOPLE: Record<string, (app: TestApp) => Promise<{ visitor: Visitor; start: string[] }>> = {
  'somebody without an account': async (app) => ({
    visitor: visitorFromNewAddress(app),
    start: ['/', '/robots.txt', '/for-pros', '/api-docs', '/problems', '/bookings'],
  }),
  'a customer with a quote': async (app) => {
    const pro = await quotingPro(app)
    const [open, other] = [await sentQuote(live(app), pro), await sentQuote(live(app), pro)]
    return {
      visitor: await signedInCustomer(app, 'homeowner@test.example'),
      start: ['/my', `/quotes/${open.token}`, `/quotes/${other.token}`],
    }
  },
  'a pro': async (app) => {
    const pro = await quotingPro(app, 1)
    await sentQuote(live(app), pro)
    return { visitor: await loggedInVisitor(app, 'pro', { pro: pro.professionalId }), start: ['/console'] }
  },
  'a developer': async (app) => ({
    visitor: await loggedInVisitor(app, 'developer', { account: 'crawling-developer@test.example' }),
    start: ['/console', '/api-docs'],
  }),
  'an operator': async (app) => ({ visitor: await loggedInVisitor(app, 'operator'), start: ['/console', '/ops'] }),
}

const live = (app: TestApp) => ({ ...app.deps, clock: systemClock })

test.each(Object.entries(PEOPLE))(
  '%s is never stuck',
  async (role, begin) => {
    const { visitor, start } = await begin(app)
    const crawler = new Crawler(role, visitor, app.deps.config.baseUrl)
    await crawler.crawl(start)
    expect(crawler.findings).toEqual([])
    // A crawler that is turned away at the door finds nothing either.
    expect(crawler.kinds.size).toBeGreaterThan(30)
    expect(crawler.sent.size).toBeGreaterThan(9)
  },
  60_000,
)
