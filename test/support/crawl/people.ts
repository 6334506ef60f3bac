// The people who use Hearth's pages, with what they know to begin with.
import { systemClock } from '../../../src/platform/clock/clock.ts'
import type { TestApp } from '../app.ts'
import { CRAWLER_EMAIL } from './answers.ts'
import { signedInCustomer } from '../customers.ts'
import { quotingPro, sentQuote } from '../quotes.ts'
import { type Visitor, loggedInVisitor, visitorFromNewAddress } from '../visitor.ts'

export interface Person {
  visitor: Visitor
  /** Where they begin. */
  start: string[]
}

/** Whom the crawler enters into forms. */
const ASKING = { name: 'Person who Asks', email: CRAWLER_EMAIL }

const live = (app: TestApp) => ({ ...app.deps, clock: systemClock })

export const PEOPLE: Readonly<Record<string, (app: TestApp) => Promise<Person>>> = {
  'somebody without an account': async (app) => ({
    visitor: visitorFromNewAddress(app),
    start: [
      '/',
      '/robots.txt',
      '/for-pros',
      '/api-docs',
      '/problems',
      '/bookings',
      '/?service=plumber&place=Austin, TX',
    ],
  }),
  'a customer with quotes': async (app) => {
    const pro = await quotingPro(app)
    const [open, other] = [await sentQuote(live(app), pro, {}, ASKING), await sentQuote(live(app), pro, {}, ASKING)]
    const visitor = await signedInCustomer(app, ASKING.email)
    return { visitor, start: ['/my', `/quotes/${open.token}`, `/quotes/${other.token}`] }
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
  'an operator': async (app) => ({
    visitor: await loggedInVisitor(app, 'operator'),
    start: ['/console', '/ops', '/api-docs'],
  }),
}
