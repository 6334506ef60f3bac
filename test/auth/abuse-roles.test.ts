// Every act of a customer by every role, and where each link leads. The rows come from the routes and from what the pages link to.
import { describe, expect, test } from 'bun:test'

import { requestUrl } from '../../src/features/quoting/rfqs/verbs/follow-link.ts'
import { openAbuseWorld } from '../support/abuse-world.ts'
import { testRequest } from '../support/app.ts'
import { type Route, accessOf, nameOf, routes } from '../support/app-routes.ts'
import { ACTS, ROLES, type Role, type Subject, isUnseen, mayAct, newSubject } from '../support/customer-acts.ts'
import { opened } from '../support/fixture.ts'
import { checksum } from '../support/isolation-tenants.ts'
import { keyOf, openRoles } from '../support/customer-roles.ts'
import { ctxOf } from '../../src/ctx.ts'

const world = await opened(openAbuseWorld())
/** What a role sends with every request, and the token of the signed-in customer's forms. */
const roles = await openRoles(world)

/** Routes by which a customer acts on what is theirs: with a link, the key that booked, or signed in. */
const isAct = (route: Route): boolean => {
  const { method, path } = route
  if (method === 'GET') return false
  if (/^\/(bookings\/manage|quotes|pay|requests|reviews)\/:|^\/api\/v1\/quotes\/:|^\/sandbox\/payments/.test(path))
    return true
  if (/^\/my\/(bookings|jobs|requests|quotes|reviews)\/:/.test(path)) return true
  if (path === '/api/v1/reviews') return true
  return path.startsWith('/api/v1/bookings/:') && accessOf(route)?.scopes.includes('bookings:write') === true
}
const acts = routes.filter(isAct)

/** The status of the act; 401 for a redirect to a login. */
async function attempt(route: Route, role: Role, subject: Subject): Promise<number> {
  const act = ACTS[nameOf(route)]
  if (!act) throw new Error(`${nameOf(route)} has no row.`)
  const isPage = route.hooks.detail?.hide === true && !route.path.startsWith('/sandbox')
  const { bookingId, jobId, requestId = '', reviewId } = subject
  const value =
    act.by === 'link'
      ? subject[role === 'mailed link' ? 'mailed' : 'answered']
      : (reviewId ?? (bookingId || jobId || requestId))
  const fields = { ...(await act.body?.(world, subject)), ...(act.by === 'session' ? { csrf: roles.csrf } : {}) }
  const path = route.path.replace(/:\w+/, encodeURIComponent(value))
  const headers = {
    ...(isPage ? { accept: 'text/html', 'sec-fetch-site': 'same-origin' } : {}),
    ...roles.headersOf[role],
  }
  const body = isPage ? { body: sentForm(fields) } : { json: fields }
  const response = await world.app.app.handle(
    testRequest(world.app.deps.config.baseUrl, path, { method: 'POST', headers, ...body }),
  )
  return /^\/(console\/login|my\/sign-in)/.test(response.headers.get('location') ?? '') ? 401 : response.status
}

/** With files as browsers send them. */
function sentForm(fields: Record<string, unknown>): FormData | URLSearchParams {
  const hasFiles = Object.values(fields).some((value) => value instanceof Blob)
  const form = hasFiles ? new FormData() : new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) form.append(name, value as string)
  return form
}

/** The rows that the act could change. */
const state = async (): Promise<unknown> => await checksum(world.sql)

describe('an act of the customer', () => {
  test('has a row for each route', () => {
    expect(acts.map(nameOf).sort()).toEqual(Object.keys(ACTS).sort())
  })

  test.each(acts.map((route) => [nameOf(route), route] as const))(
    'by %s is for the customer',
    async (name, route) => {
      const act = ACTS[name]
      if (!act) throw new Error('The row is missing.')
      const isPage = route.hooks.detail?.hide === true && !route.path.startsWith('/sandbox')
      const refused = ROLES.filter((role) => !mayAct(act, role) && !(act.by === 'link' && isUnseen(role, isPage)))
      const shared = await newSubject(world, act.of)
      const byPro = await newSubject(world, act.of, keyOf(roles, 'pro’s own key that booked'))
      const before = await state()
      const accepted: string[] = []
      for (const role of refused) {
        const status = await attempt(route, role, role === 'pro’s own key that booked' ? byPro : shared)
        if (status !== 401 && status !== 403 && status !== 404) accepted.push(`${role} gets ${status}`)
      }
      expect(accepted).toEqual([])
      expect(await state()).toEqual(before)
      const kept: string[] = []
      for (const role of ROLES.filter((one) => mayAct(act, one) && !(act.by === 'link' && isUnseen(one, isPage)))) {
        const status = await attempt(route, role, await newSubject(world, act.of))
        if (status >= 400 || status === 401) kept.push(`${role} gets ${status}`)
      }
      expect(kept).toEqual([])
      // Each role gets a booking of its own.
    },
    60_000,
  )
})

/** What a link must not lead to: its bearer could then act on more than the link is for. */
const KINDS = [
  ['manage', /\/bookings\/manage\/([\w-]+)/g],
  ['quote', /\/quotes\/([\w-]{40,})/g],
  ['request', /\/requests\/([\w-]{40,})/g],
  ['payment', /\/pay\/([\w-]+)/g],
] as const
type LinkKind = (typeof KINDS)[number][0]

/** The kinds of links that are reached from a page without cookies, by following all links and redirects. */
async function reachedFrom(path: string, { follow = true } = {}): Promise<Set<LinkKind>> {
  const found = new Set<LinkKind>()
  const [open, seen] = [[path], new Set<string>()]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const { baseUrl } = world.app.deps.config
    const response = await world.app.app.handle(
      new Request(baseUrl + at, { headers: { accept: 'text/html' }, redirect: 'manual' }),
    )
    const text = `${response.headers.get('location') ?? ''} ${await response.text()}`
    for (const [kind, pattern] of KINDS)
      for (const [link] of text.matchAll(pattern)) {
        if (at.startsWith(link) || path.startsWith(link)) continue
        found.add(kind)
        if (follow) open.push(link)
      }
  }
  return found
}

describe('a link', () => {
  test.each([
    // The one for paying pays: not even the quote is reached, which it accepts only by being paid.
    { of: 'hold', path: ({ answered }: Subject) => `/pay/${answered}`, leadsTo: [] },
    { of: 'deposit', path: ({ answered }: Subject) => `/pay/${answered}`, leadsTo: [] },
    { of: 'quote', path: ({ answered }: Subject) => `/quotes/${answered}`, leadsTo: [] },
    { of: 'accepted', path: ({ answered }: Subject) => `/quotes/${answered}`, leadsTo: [] },
  ] as const)('of $of leads to $leadsTo', async ({ of, path, leadsTo }) => {
    const subject = await newSubject(world, of)
    expect([...(await reachedFrom(path(subject)))]).toEqual([...leadsTo])
  })

  test('of a quote or request does not lead to the visit that was booked with it, but a mailed one does', async () => {
    const { app, sql } = world
    const subject = await newSubject(world, 'accepted')
    const route = routes.find((one) => nameOf(one) === 'POST /quotes/:token/time')
    if (!route) throw new Error('The route is gone.')
    expect(await attempt(route, 'answered link', subject)).toBe(303)
    const [row] = await sql<{ rfqId: string }[]>`
      select q.rfq_id from jobs j join quotes q on q.id = j.quote_id where j.id = ${subject.jobId}`
    const request = new URL(requestUrl(ctxOf(app.deps), { rfqId: row?.rfqId ?? '' })).pathname
    expect(await reachedFrom(`/quotes/${subject.answered}`)).not.toContain('manage')
    expect(await reachedFrom(request)).not.toContain('manage')
    expect(await reachedFrom(`/quotes/${subject.mailed}`)).toContain('manage')
  })
})
