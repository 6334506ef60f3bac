// The people who use Hearth's pages, with what they know to begin with.
import type { ResourceName } from '../../../src/auth/oauth/resources.ts'
import { inviteUser } from '../../../src/auth/users/verbs/users.ts'
import { manageUrl } from '../../../src/features/booking/bookings/verbs/manage-link.ts'
import { unsubscribeUrl } from '../../../src/features/messages/messages/verbs/links.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import type { TestApp } from '../app.ts'
import { newPkce, registerApp, requestFor } from '../connected-app.ts'
import type { Tenant } from '../isolation-tenants.ts'
import { quotingPro, sentQuote } from '../quotes.ts'
import { type Visitor, loggedInVisitor, visitorFromNewAddress } from '../visitor.ts'
import { CRAWLER_EMAIL, type Home, IN_TEXAS } from './answers.ts'
import { ctxOf } from '../../../src/ctx.ts'

export interface Person {
  visitor: Visitor
  /** Where they begin. */
  start: string[]
}

const live = (app: TestApp) => ({ ...app.deps, clock: systemClock })

/** The address to which an app sends a person who is to let it in. */
async function authorizePath(app: TestApp, resource: ResourceName): Promise<string> {
  const query = requestFor(app, { clientId: await registerApp(app), resource, pkce: newPkce() })
  return `/oauth/authorize?${new URLSearchParams(query).toString()}`
}

async function passwordPath(app: TestApp, nth: number): Promise<string> {
  const invited = { email: `invited-${nth}-${CRAWLER_EMAIL}`, role: 'operator' as const }
  const { link } = await inviteUser(ctxOf(app.deps), { ...invited, by: null, planMessage: () => Promise.resolve() })
  return `/console/password/${link.token}`
}

const pathOf = (url: string) => new URL(url).pathname

/** The tenant's customer is the person whom the crawler enters into forms. */
export const PEOPLE: Readonly<Record<string, (app: TestApp, tenant: Tenant, home?: Home) => Promise<Person>>> = {
  'visitor without an account': async (app, { own }, { place } = IN_TEXAS) => {
    const [booking] = await app.sql<{ code: string }[]>`
      select confirmation_code as code from bookings where id = ${own.booking}`
    return {
      visitor: visitorFromNewAddress(app),
      start: [
        '/',
        '/robots.txt',
        '/for-pros',
        '/api-docs',
        '/problems',
        '/bookings',
        `/bookings/${booking?.code}`,
        `/?service=plumber&place=${place}`,
        await passwordPath(app, 1),
        await passwordPath(app, 2),
        pathOf(unsubscribeUrl(ctxOf(app.deps), { email: CRAWLER_EMAIL })),
      ],
    }
  },
  'a customer with quotes': async (app, { own, visitors }) => {
    const pro = await quotingPro(app)
    const asking = { name: 'Person who Asks', email: CRAWLER_EMAIL }
    const [open, other] = [await sentQuote(live(app), pro, {}, asking), await sentQuote(live(app), pro, {}, asking)]
    return {
      visitor: visitors.customer,
      start: [
        '/my',
        '/my/coming',
        '/my/earlier',
        '/my/requests',
        `/quotes/${open.token}`,
        `/quotes/${other.token}`,
        pathOf(manageUrl(ctxOf(app.deps), { bookingId: own.finishedBooking })),
        await authorizePath(app, 'customer-agent'),
      ],
    }
  },
  'a pro': async (app) => {
    const pro = await quotingPro(app, 1)
    await sentQuote(live(app), pro)
    return {
      visitor: await loggedInVisitor(app, 'pro', { pro: pro.professionalId }),
      start: ['/console', await authorizePath(app, 'pro-agent')],
    }
  },
  'a developer': (_app, { visitors }) =>
    Promise.resolve({ visitor: visitors.developer, start: ['/console', '/api-docs'] }),
  'an operator': async (app) => ({
    visitor: await loggedInVisitor(app, 'operator'),
    start: ['/console', '/ops', '/api-docs'],
  }),
}
