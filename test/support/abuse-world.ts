// One pro and one customer with everything that passes between them, for tests in which each takes the other's place.
import { ensureAccount, siteAccountOf } from '../../src/auth/accounts/verbs.ts'
import { type Scope, SCOPES, isWidgetScope, PRESETS } from '../../src/auth/scopes.ts'
import { inviteUser } from '../../src/auth/users/verbs/users.ts'
import { renewCalendarFeed } from '../../src/features/calendar/calendar-feeds/verbs.ts'
import { unsubscribeUrl } from '../../src/features/messages/messages/verbs/links.ts'
import { planInvitation } from '../../src/features/messages/messages/verbs/user-links.ts'
import { requestUrl } from '../../src/features/quoting/rfqs/verbs/follow-link.ts'
import {
  type BookingFixture,
  type CreatedBooking,
  type FixturePro,
  book,
  openBookingFixture,
  pay,
} from './booking-fixture.ts'
import { authorize, connect, newPkce, requestFor, someCustomer } from './connected-app.ts'
import { sentQuote } from './quotes.ts'
import { insertFile } from './stored-files.ts'
import { type Visitor, loggedInVisitor } from './visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

/** Values that authorize their bearer, each for one purpose. */
export type SecretKind =
  | 'code'
  | 'manageLink'
  | 'quoteLink'
  | 'requestLink'
  | 'clientSecret'
  | 'passwordLink'
  | 'calendarFeed'
  | 'unsubscribeLink'
  | 'accessRequest'
  | 'reviewLink'
  | 'refreshToken'
  | 'fileAddress'
  | 'photo'

/** The kind of secret that each path takes. */
export const SECRET_PATHS: readonly (readonly [path: RegExp, kind: SecretKind | 'stepOfUser'])[] = [
  [/^\/bookings\/manage\//, 'manageLink'],
  [/\/bookings(\/:code)?$/, 'code'],
  [/\/quotes\/:token/, 'quoteLink'],
  [/^\/requests\/:token$/, 'requestLink'],
  [/^\/calendars\/:token$/, 'calendarFeed'],
  [/^\/unsubscribe\/:token$/, 'unsubscribeLink'],
  [/\/:clientSecret$/, 'clientSecret'],
  [/^\/reviews\/:token$/, 'reviewLink'],
  [/^\/files\/:file$/, 'fileAddress'],
  [/\/photos\/:photo$/, 'photo'],
  [/^\/console\/password\/:token$/, 'passwordLink'],
  [/^\/oauth\/consent$/, 'accessRequest'],
  // Bound to a user and their password: second-factor.test.ts and email-change.test.ts try those of others.
  [/^\/console\/(email\/:token|login\/code|account\/second-factor)$/, 'stepOfUser'],
]

/** Logs in to the console of the victim, and has an account of their own with the same address. */
export const BUSINESS_USER = 'partner@business.test.example'

export interface AbuseWorld extends BookingFixture {
  readonly victim: FixturePro
  /** The account of `key`. */
  readonly integratorId: string
  /** Confirmed and paid. */
  readonly paid: CreatedBooking
  /** Waits for its payment. */
  readonly unpaid: CreatedBooking
  readonly secrets: Readonly<Record<SecretKind, string>>
  /** What the pro may authenticate with: keys with all scopes and of each preset for pros. */
  readonly proKeys: readonly string[]
  readonly proVisitor: Visitor
}

const ALL_SCOPES = (Object.keys(SCOPES) as Scope[]).filter((scope) => !isWidgetScope(scope))
const lastOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

/** Opens the world in a migrated database. */
export async function openAbuseWorld(): Promise<AbuseWorld> {
  const fixture = await openBookingFixture()
  const { app } = fixture
  // It exists from the first page on, so that refusals change nothing.
  await siteAccountOf(app.deps)()
  const victim = await fixture.pro()
  const paid = await book(fixture, victim, 24)
  await pay(fixture, paid.payment?.clientSecret ?? '')
  const unpaid = await book(fixture, victim, 26)
  const quote = await sentQuote(app.deps, { ...victim, professionalId: victim.id, slug: victim.id })
  const calendar = lastOf(await renewCalendarFeed(ctxOf(app.deps, { professionalId: victim.id }), { memberId: null }))
  const { link } = await inviteUser(ctxOf(app.deps), {
    email: 'invited@users.test.example',
    role: 'operator',
    by: null,
    planMessage: planInvitation,
  })
  const person = await someCustomer(app, 'home@example.com')
  const tokens = await connect(app, { resource: 'rest', person, scope: 'bookings:write' })
  const query = requestFor(app, { clientId: tokens.clientId, resource: 'customer-agent', pkce: newPkce() })
  const asked = await authorize(app, query)
  await fixture.sql`
    insert into users (id, email, password_hash, role, account_id, created_at)
    values (gen_random_uuid(), ${BUSINESS_USER}, '$argon2id$none', 'pro', ${victim.accountId}, now())`
  const integrator = await ensureAccount(ctxOf(app.deps), { email: 'developer@test.example' })
  const keys = [ALL_SCOPES, PRESETS['pro-dashboard'], PRESETS['agent-tools'], PRESETS['full-server']]
  return {
    ...fixture,
    victim,
    integratorId: integrator.id,
    paid,
    unpaid,
    secrets: {
      code: paid.booking.confirmationCode,
      manageLink: lastOf(paid.manageUrl),
      quoteLink: quote.token,
      requestLink: lastOf(requestUrl(ctxOf(app.deps), { rfqId: quote.rfqId })),
      clientSecret: unpaid.payment?.clientSecret ?? '',
      passwordLink: link.token,
      unsubscribeLink: lastOf(unsubscribeUrl(ctxOf(app.deps), { email: 'home@example.com' })),
      calendarFeed: calendar.slice(0, -'.ics'.length),
      accessRequest: asked.location?.searchParams.get('request') ?? '',
      refreshToken: tokens.refresh_token,
      fileAddress: `${(await insertFile(app, fixture.sql, victim.id)).name}-large.webp`,
      photo: await visitorPhoto(fixture),
      reviewLink: app.deps.encryption.linkToken('review', await unprovenReview(fixture, victim), { isMailed: true }),
    },
    proKeys: await Promise.all(keys.map((scopes) => app.key(scopes, victim.email))),
    proVisitor: await loggedInVisitor(app, 'pro', { pro: victim.id }),
  }
}

/** The id of a photo that a person without an account has sent. */
async function visitorPhoto({ app, sql }: BookingFixture): Promise<string> {
  const site = await siteAccountOf(app.deps)()
  const id = Bun.randomUUIDv7()
  await sql`
    insert into files (id, name, account_id, purpose, status, private, created_at)
    values (${id}, ${Buffer.from(id).toString('base64url').slice(-32)}, ${site.id}, 'request', 'uploading', true, now())`
  await sql`update files set status = 'received', bytes = 1 where id = ${id}`
  return id
}

/** A review of the pro that was sent with the customer's address. */
async function unprovenReview({ app }: BookingFixture, { id: professionalId }: FixturePro): Promise<string> {
  const customer = { name: 'Homeowner', email: 'home@example.com' }
  const json = { professionalId, rating: 5, content: 'Fine.', customer }
  const answer = await app.send('/api/v1/reviews', { key: await app.key(['reviews:write']), json })
  if (answer.status !== 201) throw new Error(await answer.text())
  return ((await answer.json()) as { review: { id: string } }).review.id
}
