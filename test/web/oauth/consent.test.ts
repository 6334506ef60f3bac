// The consent page: a person signs in, sees which app asks for what, and alone decides. Connected apps are theirs to remove.
import { describe, expect, test } from 'bun:test'

import type { ResourceName } from '../../../src/auth/oauth/resources.ts'
import type { ProRole } from '../../../src/auth/users/rules/pro-roles.ts'
import { createUser } from '../../../src/auth/users/verbs/users.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../support/app.ts'
import {
  CALLBACK,
  authorize,
  connect,
  exchangeOf,
  listTools,
  newPkce,
  postForm,
  registerApp,
  requestFor,
  someCustomer,
  somePro,
} from '../../support/connected-app.ts'
import { CODE_PATH, askForCode, codeFor, newAddress, signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { PASSWORD, Visitor, loggedInVisitor } from '../../support/visitor.ts'
import { escaped } from '../../support/escaped.ts'

const app = await opened(openTestApp('seeded', { clock: { now: () => new Date() } }))

/** An app asks for access; the path of the page on which a person decides. */
async function ask(resource: ResourceName, metadata: object = {}) {
  const [clientId, pkce] = [await registerApp(app, metadata), newPkce()]
  const { location } = await authorize(app, requestFor(app, { clientId, resource, pkce }))
  if (!location) throw new Error('The request was not stored.')
  return { clientId, pkce, id: location.searchParams.get('request') ?? '', path: location.pathname + location.search }
}

const decide = (by: Visitor, requestId: string, decision: string, area: '/console' | '/my' = '/console') =>
  by.csrfToken(area).then((csrf) => by.postRaw('/oauth/consent', { csrf, requestId, decision }))

async function proVisitor() {
  const person = await somePro(app)
  const visitor = new Visitor(app)
  await visitor.logIn(person.email)
  return { visitor, person }
}
/** A logged-in person who is no owner of the business. */
async function memberVisitor(proRole: ProRole) {
  const { professionalId } = await somePro(app)
  const member = { id: crypto.randomUUID(), proRole }
  const email = `${member.id}@users.test.example`
  await app.sql`
    insert into members (id, professional_id, name, email, role, created_at)
    values (${member.id}, ${professionalId}, 'Crew 1', ${email}, 'crew', now())`
  await createUser(ctxOf(app.deps), { email, role: 'pro', pro: professionalId, member, password: PASSWORD })
  const visitor = new Visitor(app)
  await visitor.logIn(email)
  return visitor
}
/** A logged-in pro, for the tests that do not end the session. */
const { visitor, person } = await proVisitor()

/** A removal reaches the processes within a second. */
const isRefused = (resource: 'pro-agent' | 'customer-agent', token: string) =>
  waitUntil(async () => (await listTools(app, resource, token)).status === 401, 2000)

describe('signing in', () => {
  test('of a pro leads back to the request, which names the app, its scopes and the business', async () => {
    const { path } = await ask('pro-agent')
    const { email, professionalId } = person
    const visitor = new Visitor(app)
    const { location } = await visitor.get(path)
    expect(location).toBe(`/console/login?next=${encodeURIComponent(path)}`)
    expect((await visitor.logIn(email, PASSWORD, { next: path })).location).toBe(path)
    const { text, status } = await visitor.get(path)
    const [pro] = await app.sql<{ name: string }[]>`
      select business_name as name from professionals where id = ${professionalId}`
    expect(status).toBe(200)
    for (const part of ['Test assistant', 'app.example', pro?.name ?? '?', email, 'Read your leads', 'Prepare quotes'])
      expect(text).toContain(part)
  })

  test('of a customer, with a code, leads back to the request in the browser that asked', async () => {
    const { path } = await ask('customer-agent')
    const [visitor, email] = [new Visitor(app), newAddress()]
    expect((await visitor.get(path)).location).toBe(`/my/sign-in?next=${encodeURIComponent(path)}`)
    await askForCode(visitor, email, { next: path })
    const another = (await visitor.get(CODE_PATH)).text
    expect(another).toContain(`href="/my/sign-in?next=${encodeURIComponent(path)}"`)
    // The way back survives a code that was guessed too often.
    for (let n = 1; n < 5; n++) await visitor.post(CODE_PATH, { code: '0' })
    const late = await visitor.post(CODE_PATH, { code: '0' })
    expect([late.status, late.text.includes(`name="next" value="${path}"`)]).toEqual([401, true])
    await askForCode(visitor, email, { next: path })
    expect((await visitor.post(CODE_PATH, { code: await codeFor(app, email) })).location).toBe(path)
    expect((await visitor.get(path)).text).toContain(email)
  })

  test('leads to no other address that looks like the page', async () => {
    const { path } = await ask('pro-agent')
    for (const next of [`${path}&to=x`, `/${path}`, `${path}#x`, `${path}\n`, '/oauth/authorize', '/oauth/consent']) {
      for (const [page, usual] of [
        ['/console/login', '/console'],
        ['/my/sign-in', '/my'],
      ])
        expect((await new Visitor(app).get(`${page}?next=${encodeURIComponent(next)}`)).text).toContain(
          `name="next" value="${usual}"`,
        )
    }
  })

  test('as another person is possible, and ends the session', async () => {
    const { path, id } = await ask('customer-agent')
    const visitor = await signedInCustomer(app)
    expect((await decide(visitor, id, 'switch', '/my')).location).toBe(`/my/sign-in?next=${encodeURIComponent(path)}`)
    expect((await visitor.get('/my')).status).toBe(303)
    const { visitor: pro } = await proVisitor()
    const other = await ask('pro-agent')
    expect((await decide(pro, other.id, 'switch')).location).toStartWith('/console/login?next=')
    expect((await pro.get('/console')).status).toBe(303)
  })
})

describe('a decision', () => {
  test('to allow sends the browser to the app with a code for this person, once', async () => {
    const { id, clientId, pkce, path } = await ask('pro-agent')
    const { location, status } = await decide(visitor, id, 'allow')
    expect([status, location]).toEqual([303, expect.stringContaining(`${CALLBACK}?code=`)])
    const answer = new URL(location ?? '').searchParams
    expect([answer.get('state'), answer.get('iss')]).toEqual(['state-of-the-app', app.deps.config.baseUrl])
    const exchange = exchangeOf({ clientId, code: answer.get('code') ?? '', pkce })
    const { body } = await postForm(app, '/oauth/token', exchange)
    expect((await listTools(app, 'pro-agent', body['access_token'] as string)).status).toBe(200)
    for (const decision of ['allow', 'deny']) {
      const again = await decide(visitor, id, decision)
      expect([again.status, again.text]).toEqual([404, expect.stringContaining('Start again in the app')])
    }
    expect((await visitor.get(path)).status).toBe(404)
  })

  test('to deny sends the browser to the app without a code', async () => {
    const { id } = await ask('customer-agent')
    const { location } = await decide(await signedInCustomer(app), id, 'deny', '/my')
    const answer = new URL(location ?? '').searchParams
    expect([answer.get('error'), answer.get('code'), answer.get('state')]).toEqual([
      'access_denied',
      null,
      'state-of-the-app',
    ])
  })

  test('is refused without the CSRF token of the session, and from another site', async () => {
    const { id, path } = await ask('pro-agent')
    const others = [await new Visitor(app).csrfToken(), await (await signedInCustomer(app)).csrfToken('/my')]
    for (const csrf of ['', 'x', ...others])
      for (const decision of ['allow', 'deny', 'switch'])
        expect((await visitor.postRaw('/oauth/consent', { csrf, requestId: id, decision })).status).toBe(403)
    const own = { csrf: await visitor.csrfToken(), requestId: id, decision: 'allow' }
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await visitor.postRaw('/oauth/consent', own, { 'sec-fetch-site': site })).status).toBe(403)
    expect((await visitor.postRaw('/oauth/consent', { ...own, decision: 'both' })).status).toBe(400)
    expect((await visitor.get(path)).status).toBe(200)
  })

  test('needs a session of the side that the app asks for', async () => {
    const [forPro, forCustomer] = [await ask('pro-agent'), await ask('customer-agent')]
    const customer = await signedInCustomer(app)
    const wrong = [
      await decide(customer, forPro.id, 'allow', '/my'),
      await decide(visitor, forCustomer.id, 'allow'),
      await new Visitor(app).postRaw('/oauth/consent', { requestId: forPro.id, decision: 'allow' }),
    ]
    expect(wrong.map(({ status, location }) => [status, location?.split('?')[0]])).toEqual([
      [303, '/console/login'],
      [303, '/my/sign-in'],
      [303, '/console/login'],
    ])
    const [dispatcher, worker] = [await memberVisitor('dispatcher'), await memberVisitor('worker')]
    for (const other of [await loggedInVisitor(app, 'operator'), dispatcher, worker]) {
      const { text } = await other.get(forPro.path)
      expect(text).toContain('Log in as a pro')
      expect(text).not.toContain('value="allow"')
      expect((await decide(other, forPro.id, 'allow')).status).toBe(403)
    }
    expect((await visitor.get(forPro.path)).status).toBe(200)
  })

  test('about an unknown, malformed or missing request is impossible, with a page that says what to do', async () => {
    for (const query of ['', '?request=', '?request=x', `?request=${crypto.randomUUID()}`]) {
      const { status, text } = await visitor.get(`/oauth/consent${query}`)
      expect([query, status, text.includes('Start again in the app')]).toEqual([query, 404, true])
    }
  })
})

describe('the page', () => {
  test('is in no frame, and its form leads to Hearth and to the app only', async () => {
    const uris = { 'http://127.0.0.1:4567/back': 'http://127.0.0.1:4567', 'com.example.app:/back': 'com.example.app:' }
    for (const [uri, source] of Object.entries(uris)) {
      const [clientId, pkce] = [await registerApp(app, { redirect_uris: [uri] }), newPkce()]
      const query = { ...requestFor(app, { clientId, resource: 'pro-agent', pkce }), redirect_uri: uri }
      const { location } = await authorize(app, query)
      const { headers, text } = await visitor.get(`/oauth/consent${location?.search ?? ''}`)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("default-src 'none'")
      expect(policy).toMatch(new RegExp(`form-action 'self' https: ${source}(;|$)`))
      expect(text).toContain('a program on this device')
    }
  })

  test('shows a hostile name as text, and says that it could not be checked', async () => {
    const { path } = await ask('pro-agent', { client_name: '<b>Hearth</b>"><script>alert(1)</script>' })
    const { text } = await visitor.get(path)
    expect(text).toContain(escaped('<b>Hearth</b>'))
    expect(text).not.toMatch(/<b>Hearth|<script>/)
    expect(text).toContain('Not verified')
    expect(text).toContain('could not check who makes this app')
  })
})

describe('connected apps', () => {
  const removal = (text: string) => /action="([^"]*\/remove)"/.exec(text)?.[1] ?? ''

  test('of a pro are listed with their last use, and removed with one click', async () => {
    const { access_token: token } = await connect(app, { resource: 'pro-agent', person })
    const { text } = await visitor.get('/console/apps')
    for (const part of ['Test assistant', 'app.example', 'Not verified', 'Read your leads', 'Never', '/api/mcp</code>'])
      expect(text).toContain(part)
    const after = await visitor.post(removal(text))
    expect(after.location).toBe('/console/apps')
    expect((await visitor.get('/console/apps')).text).toContain('The app is removed')
    expect(await isRefused('pro-agent', token)).toBe(true)
  })

  test('of a customer are theirs alone', async () => {
    const email = newAddress()
    const [mine, stranger] = [await signedInCustomer(app, email), await signedInCustomer(app)]
    const { access_token: token } = await connect(app, {
      resource: 'customer-agent',
      person: await someCustomer(app, email),
    })
    const { text } = await mine.get('/my/apps')
    expect(text).toContain('Test assistant')
    expect((await stranger.get('/my/apps')).text).toContain('No connected apps')
    expect((await stranger.post(removal(text))).status).toBe(404)
    expect((await visitor.post(removal(text).replace('/my/', '/console/'))).status).toBe(404)
    expect((await listTools(app, 'customer-agent', token)).status).toBe(200)
    expect((await mine.post(removal(text))).location).toBe('/my/apps')
    expect(await isRefused('customer-agent', token)).toBe(true)
  })
})
