// Access control: calls every route with every kind of key and compares with the table of the design.
import { describe, expect, test } from 'bun:test'

import { SCOPES, type Scope, isPlatformScope, isWidgetScope } from '../../src/auth/scopes.ts'
import { revokeKey } from '../../src/auth/keys/verbs/keys.ts'
import type { Access } from '../../src/auth/access.ts'
import { ACCESS_KEY } from '../../src/http/guard.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { TABLE } from '../support/access-table.ts'
import { WIDGET_ORIGIN, openTestApp } from '../support/app.ts'
import { createOperatorWithKey } from '../support/operator-keys.ts'
import { findPros } from '../support/reviews.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

/** Documents, probes and customers' pages, outside the API: they check no key. All other routes must declare their access. */
const DOCUMENTS =
  /^(GET \/(healthz|readyz|openapi\.json|\.well-known\/(api-catalog|ai-catalog\.json|mcp\/.*|oauth-.*)|api\/mcp\/((customer|public)\/)?server-card|api-docs(\/.*)?|problems(\/.*)?|assets\/.*|pros\/:id(\/share\.jpg)?|packages\/:id(\/share\.jpg)?|share\.jpg|widget\.js|robots\.txt|llms\.txt|favicon\.ico|site\.webmanifest|for-pros(\/join)?|about|(terms|privacy|imprint)(\/:version)?|sitemap\.xml|sitemaps\/:part|:services\/:city(\/share\.jpg)?|)|(GET|POST) \/(quotes\/.*|pay\/:clientSecret|console\/(login(\/(link|code))?|(password|email)\/:token)|pros\/:id\/(book|quote(\/photos.*)?)|requests\/:token|reviews\/:token|unsubscribe\/:token|bookings(\/.*)?|my\/sign-in(\/code)?|oauth\/.*))$/

const app = await opened(openTestApp())
/** A developer's key for each single scope. */
const keys = new Map<Scope, string>()
/** A pro's key for each single scope. */
const proKeys = new Map<Scope, string>()
/** A client's key for each single scope. */
const clientKeys = new Map<Scope, string>()
/** An operator's key for each scope of operators. */
const operatorKeys = new Map<Scope, string>()
/** Invalid keys: description and value. */
const invalidKeys: [string, string][] = []
const [pro] = await findPros(app, 1)
const client = await app.client()
for (const scope of Object.keys(SCOPES) as Scope[]) {
  keys.set(scope, await app.key([scope]))
  proKeys.set(scope, await app.key([scope], pro?.email))
  clientKeys.set(scope, await app.key([scope], client))
  if (isPlatformScope(scope)) operatorKeys.set(scope, (await createOperatorWithKey(app, { scopes: [scope] })).key)
}
const good = await app.key()
const revoked = await app.key()
const { id } = await newestKey()
await revokeKey(ctxOf(app.deps), { id })
invalidKeys.push(
  ['garbage', 'garbage'],
  ['a wrong checksum', `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`],
  ['an unknown key', 'hearth_live_0000000000000000000000000026yNfI'.slice(0, 44)],
  ['a revoked key', revoked],
)

const KEYS = { pro: proKeys, client: clientKeys, operator: operatorKeys }
const keysOf = (owner: Access['owner']) => (owner ? KEYS[owner] : keys)

async function newestKey(): Promise<{ id: string }> {
  const [row] = await app.deps.read.run<{ id: string }>(
    'newestKey',
    (sql) => sql`select id from api_keys order by created_at desc, id desc limit 1`,
  )
  if (!row) throw new Error('There is no key.')
  return row
}

const described = () =>
  app.app.routes.flatMap(({ method, path, hooks }) => {
    const detail = (hooks as { detail?: { hide?: boolean; [ACCESS_KEY]?: Access } }).detail
    const name = `${method} ${path}`
    const access = detail?.[ACCESS_KEY]
    // See web/console/access.test.ts and web/my/access.test.ts.
    const isPage = access?.session !== undefined || access?.customer !== undefined
    return method === 'ALL' || isPage || DOCUMENTS.test(name) ? [] : [{ name, access: detail?.[ACCESS_KEY] }]
  })

test('every route declares the access that the table lists, and the table lists no other route', () => {
  const declared = Object.fromEntries(described().map(({ name, access }) => [name, access]))
  expect(Object.keys(declared).sort()).toEqual(Object.keys(TABLE).sort())
  for (const [name, { ownPagesOnly: ____, ...row }] of Object.entries(TABLE)) {
    const { limit: _, requiredQuery: __, rpc: ___, ...access }: Partial<Access> = { ...declared[name] }
    expect({ name, ...access, scopes: undefined }).toEqual({ name, ...row, scopes: undefined })
    if (row.key === 'required')
      expect([name, [...(access.scopes ?? [])].sort()]).toEqual([name, [...row.scopes].sort()])
  }
})

async function statusOf(name: string, key?: string, origin?: string): Promise<number> {
  const [method = 'GET', template = ''] = name.split(' ')
  // The query is validated before the key, so it must be complete.
  const query = name === 'GET /api/v1/rfqs' ? '?email=customer@test.example' : ''
  const path = template.replace(':id', '01890000-0000-7000-8000-000000000000') + query
  const response = await app.send(path, {
    method,
    ...(key ? { key } : {}),
    ...(method === 'GET' ? {} : { json: {} }),
    headers: origin ? { origin } : {},
  })
  await response.arrayBuffer()
  return response.status
}

/** The guard admits the caller; the handler then responds with 200, 404 or 400 for the empty request. */
const ADMITTED = expect.not.stringMatching(/^40[13]$/) as string

describe.each(Object.keys(TABLE))('%s', (name) => {
  const row = TABLE[name] ?? { key: 'none', scopes: [] }

  test('requires a key where the table says so', async () => {
    expect(String(await statusOf(name))).toEqual(row.key === 'required' ? '401' : ADMITTED)
  })

  test('refuses invalid keys unless it checks no key', async () => {
    for (const [description, key] of invalidKeys)
      expect([description, String(await statusOf(name, key))]).toEqual([
        description,
        row.key === 'none' ? ADMITTED : '401',
      ])
    // A route of pros refuses the key of another kind of account.
    if (row.owner) for (const scope of row.scopes) expect(await statusOf(name, keys.get(scope))).toBe(401)
  })

  test('accepts a key with one scope exactly when the table lists that scope', async () => {
    for (const [scope, key] of keysOf(row.owner)) {
      const origin = isWidgetScope(scope) ? WIDGET_ORIGIN : undefined
      const isKnown = row.key !== 'required' || (row.scopes.includes(scope) && !row.all)
      const isAdmitted = isKnown && !(row.ownPagesOnly && origin !== undefined)
      expect([scope, String(await statusOf(name, key, origin))]).toEqual([scope, isAdmitted ? ADMITTED : '403'])
    }
  })

  test('accepts a widget’s key only from its origin, and a server’s key from no foreign page', async () => {
    const widget = keys.get('widget:book')
    const serverScope = row.scopes.find((scope) => !isWidgetScope(scope)) ?? 'bookings:write'
    const server = keysOf(row.owner).get(serverScope)
    const noPage = row.key === 'none' ? ADMITTED : '403'
    const foreignPage = row.ownPagesOnly ? '403' : noPage
    expect(String(await statusOf(name, widget, 'https://elsewhere.test.example'))).toEqual(foreignPage)
    expect(String(await statusOf(name, widget))).toEqual(noPage)
    expect(String(await statusOf(name, server, 'https://elsewhere.test.example'))).toEqual(foreignPage)
    const own = String(await statusOf(name, server, new URL(app.deps.config.baseUrl).origin))
    expect(own).toEqual(row.all ? '403' : ADMITTED)
  })
})

test('a missing parameter that a route requires is a 400 for everyone, before the key is checked', async () => {
  const routes = described().flatMap(({ name, access }) =>
    (access?.requiredQuery ?? []).map((parameter) => ({ path: name.replace('GET ', ''), parameter })),
  )
  expect(routes.length).toBeGreaterThan(2)
  for (const { path, parameter } of routes)
    for (const key of [undefined, 'garbage', keys.get('pros:read')]) {
      const response = await app.send(path, key ? { key } : {})
      // An invalid key is refused by itself.
      if (key === 'garbage') expect(response.status).toBe(401)
      else expect(await response.json()).toMatchObject({ status: 400, errors: [{ path: `query.${parameter}` }] })
    }
})

test('a stranger’s key does not find another account’s booking', async () => {
  const mine = await app.key(['bookings:write'], 'mine@test.example')
  const strangers = await app.key(['bookings:write', 'pro:read'], 'stranger@test.example')
  const [booking] = await app.deps.write.run<{ id: string }>(
    'adoptBooking',
    (sql) => sql`
      update bookings set account_id = (select id from accounts where email = 'mine@test.example')
      where id = (select id from bookings limit 1) returning id`,
  )
  expect((await app.send(`/api/v1/bookings/${booking?.id}`, { key: mine })).status).toBe(200)
  expect((await app.send(`/api/v1/bookings/${booking?.id}`, { key: strangers })).status).toBe(404)
})

const refusedWithinASecond = async (key: string) =>
  expect(await waitUntil(async () => (await app.send('/api/v1/cities', { key })).status === 401, 1000)).toBe(true)

describe('a key', () => {
  test('that is revoked by another process is refused within a second', async () => {
    const key = await app.key()
    const { id } = await newestKey()
    expect((await app.send('/api/v1/cities', { key })).status).toBe(200)
    await revokeKey(ctxOf(app.deps), { id })
    await refusedWithinASecond(key)
  })

  test('that is rotated works until it expires, like its one successor', async () => {
    const { createKey, rotateKey, listKeys } = await import('../../src/auth/keys/verbs/keys.ts')
    const old = await createKey(ctxOf(app.deps), {
      ownerEmail: 'dev@test.example',
      scopes: ['pros:read'],
      name: 'rotated',
    })
    const next = await rotateKey(ctxOf(app.deps), { overlapHours: 24, id: old.id })
    expect(next.scopes).toEqual(['pros:read'])
    for (const key of [old.secret, next.secret]) expect((await app.send('/api/v1/cities', { key })).status).toBe(200)
    const [, listed] = await listKeys(ctxOf(app.deps), { ownerEmail: 'dev@test.example' })
    expect(listed).toMatchObject({ id: old.id, replacedBy: next.id })
    expect(Date.parse(listed?.expiresAt ?? '') - app.deps.clock.now().getTime()).toBe(24 * 3_600_000)
    expect(rotateKey(ctxOf(app.deps), { id: old.id })).rejects.toMatchObject({ code: 'validation_failed' })
    const ended = await rotateKey(ctxOf(app.deps), { overlapHours: 0, id: next.id })
    expect((await app.send('/api/v1/cities', { key: ended.secret })).status).toBe(200)
    await refusedWithinASecond(next.secret)
  })

  test('cannot expire in the past, nor be rotated after it has expired', async () => {
    const { createKey, rotateKey } = await import('../../src/auth/keys/verbs/keys.ts')
    const now = app.deps.clock.now().getTime()
    const create = (expiresAt: Date) =>
      createKey(ctxOf(app.deps), { ownerEmail: 'dev@test.example', scopes: ['pros:read'], name: 'short', expiresAt })
    for (const ms of [-86_400_000, -1, 0])
      expect(create(new Date(now + ms))).rejects.toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'expires', message: 'must be in the future' }],
      })
    const { id } = await create(new Date(now + 1))
    await app.sql`update api_keys set expires_at = ${new Date(now - 1).toISOString()} where id = ${id}`
    expect(rotateKey(ctxOf(app.deps), { id })).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('of a widget requires an origin, which is a scheme and a host', async () => {
    const { createKey } = await import('../../src/auth/keys/verbs/keys.ts')
    const createWidgetKey = (origin?: string) =>
      createKey(ctxOf(app.deps), {
        ownerEmail: 'dev@test.example',
        scopes: ['widget:book'],
        name: 'widget',
        ...(origin ? { origin } : {}),
      })
    for (const origin of [undefined, 'shop.example', 'ftp://shop.example', 'https://shop.example/path', 'null', '*'])
      expect(createWidgetKey(origin)).rejects.toMatchObject({ code: 'validation_failed' })
    expect((await createWidgetKey('https://Shop.example:8443/')).origin).toBe('https://shop.example:8443')
  })

  test('records its last use without one write per request', async () => {
    const key = await app.key()
    const { id } = await newestKey()
    await app.send('/api/v1/cities', { key })
    const { lastUsedOf } = await import('../../src/auth/keys/verbs/last-used.ts')
    await lastUsedOf(app.deps).flush()
    const [row] = await app.deps.read.run<{ lastUsedAt: string | null }>(
      'lastUsed',
      (sql) => sql`select last_used_at from api_keys where id = ${id}`,
    )
    expect(row?.lastUsedAt).toBe(app.deps.clock.now().toISOString())
  })
})

describe('a web page', () => {
  test('can read public routes from any origin, and with a widget’s key from its own', async () => {
    const anonymous = await app.send('/api/v1/cities', { headers: { origin: 'https://any.test.example' } })
    expect(anonymous.status).toBe(200)
    const key = keys.get('widget:public') ?? ''
    const widget = await app.send('/api/v1/cities', { key, headers: { origin: WIDGET_ORIGIN } })
    expect(widget.status).toBe(200)
  })

  test('gets the allowed methods and headers from a preflight request', async () => {
    const response = await app.app.handle(
      new Request('http://localhost/api/v1/bookings', {
        method: 'OPTIONS',
        headers: { origin: WIDGET_ORIGIN, 'access-control-request-method': 'POST' },
      }),
    )
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization')
  })
})
