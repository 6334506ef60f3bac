// Who may call what: every route of the app, with every kind of key, against the table of the design.
import { beforeAll, describe, expect, test } from 'bun:test'

import { SCOPES, type Scope, isWidgetScope } from '../../src/auth/scopes.ts'
import { revokeKey } from '../../src/auth/keys/verbs/keys.ts'
import type { Access } from '../../src/auth/access.ts'
import { ACCESS_KEY } from '../../src/http/guard.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { TABLE } from '../support/access-table.ts'
import { WIDGET_ORIGIN, openTestApp } from '../support/app.ts'
import { findPros } from '../support/reviews.ts'
import { useFixture } from '../support/fixture.ts'

/** Documents, probes and pages of customers, outside the API: no key is looked at. Everything else must declare its access. */
const DOCUMENTS =
  /^(GET \/(healthz|readyz|openapi\.json|\.well-known\/(api-catalog|ai-catalog\.json|mcp\/.*)|api\/mcp\/(customer\/)?server-card|api-docs(\/.*)?|problems(\/.*)?|assets\/.*|pros\/:id|packages\/:id|widget\.js|robots\.txt|sitemap\.xml|sitemaps\/:part|)|(GET|POST) \/(quotes\/.*|console\/(login|password\/:token)|pros\/:id\/(book|quote)|requests\/:token|bookings(\/.*)?))$/

const app = useFixture(() => openTestApp())
/** A key of each single scope: a developer's, and a pro's. */
const keys = new Map<Scope, string>()
const proKeys = new Map<Scope, string>()
/** The same of a client. */
const clientKeys = new Map<Scope, string>()
/** Keys that are none: what they are called, and what is sent. */
const refused: [string, string][] = []

beforeAll(async () => {
  const [pro] = await findPros(app, 1)
  const client = await app.client()
  for (const scope of Object.keys(SCOPES) as Scope[]) {
    keys.set(scope, await app.key([scope]))
    proKeys.set(scope, await app.key([scope], pro?.email))
    clientKeys.set(scope, await app.key([scope], client))
  }
  const good = await app.key()
  const revoked = await app.key()
  const { id } = await newestKey()
  await revokeKey(app.deps, id)
  refused.push(
    ['garbage', 'garbage'],
    ['a wrong checksum', `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`],
    ['an unknown key', 'hearth_live_0000000000000000000000000026yNfI'.slice(0, 44)],
    ['a revoked key', revoked],
  )
})

const keysOf = (owner: Access['owner']) => (owner === 'pro' ? proKeys : owner === 'client' ? clientKeys : keys)

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
    const isForPeople = detail?.[ACCESS_KEY]?.session !== undefined // See console-access.test.ts.
    return method === 'ALL' || isForPeople || DOCUMENTS.test(name) ? [] : [{ name, access: detail?.[ACCESS_KEY] }]
  })

test('every route declares who may call it, as the table says; the table has no other', () => {
  const declared = Object.fromEntries(described().map(({ name, access }) => [name, access]))
  expect(Object.keys(declared).sort()).toEqual(Object.keys(TABLE).sort())
  for (const [name, row] of Object.entries(TABLE)) {
    const { limit: _, requiredQuery: __, rpc: ___, ...access }: Partial<Access> = { ...declared[name] }
    expect({ name, ...access, scopes: undefined }).toEqual({ name, ...row, scopes: undefined })
    if (row.key === 'required')
      expect([name, [...(access.scopes ?? [])].sort()]).toEqual([name, [...row.scopes].sort()])
  }
})

async function statusOf(name: string, key?: string, origin?: string): Promise<number> {
  const [method = 'GET', template = ''] = name.split(' ')
  // What is missing from a query is told before the key is asked for, so nothing is missing.
  const query = name === 'GET /api/v1/rfqs' ? '?email=customer@test.example' : ''
  const path = template.replace(':id', '01890000-0000-7000-8000-000000000000') + query
  const answer = await app.send(path, {
    method,
    ...(key ? { key } : {}),
    ...(method === 'GET' ? {} : { json: {} }),
    headers: origin ? { origin } : {},
  })
  await answer.arrayBuffer()
  return answer.status
}

/** The caller got past the gate: what comes then (200, 400 for the empty request, 404) is not the gate's. */
const PASSED = expect.not.stringMatching(/^40[13]$/) as string

describe.each(Object.keys(TABLE))('%s', (name) => {
  const row = TABLE[name] ?? { key: 'none', scopes: [] }

  test('without a key', async () => {
    expect(String(await statusOf(name))).toEqual(row.key === 'required' ? '401' : PASSED)
  })

  test('with a key that is none', async () => {
    for (const [what, key] of refused)
      expect([what, String(await statusOf(name, key))]).toEqual([what, row.key === 'none' ? PASSED : '401'])
    // On a pro's route, so is the key of someone who is no pro.
    if (row.owner) for (const scope of row.scopes) expect(await statusOf(name, keys.get(scope))).toBe(401)
  })

  test('with a key of each single scope', async () => {
    for (const [scope, key] of keysOf(row.owner)) {
      const origin = isWidgetScope(scope) ? WIDGET_ORIGIN : undefined
      const fits = row.key !== 'required' || (row.scopes.includes(scope) && !row.all)
      expect([scope, String(await statusOf(name, key, origin))]).toEqual([scope, fits ? PASSED : '403'])
    }
  })

  test('with a key of a page, from another page and from none; with a server’s key from a page', async () => {
    const widget = keys.get('widget:book')
    const serverScope = row.scopes.find((scope) => !isWidgetScope(scope)) ?? 'bookings:write'
    const server = keysOf(row.owner).get(serverScope)
    const expected = row.key === 'none' ? PASSED : '403'
    expect(String(await statusOf(name, widget, 'https://elsewhere.test.example'))).toEqual(expected)
    expect(String(await statusOf(name, widget))).toEqual(expected)
    expect(String(await statusOf(name, server, 'https://elsewhere.test.example'))).toEqual(expected)
    const own = String(await statusOf(name, server, new URL(app.deps.config.baseUrl).origin))
    expect(own).toEqual(row.all ? '403' : PASSED)
  })
})

test('a stranger’s key finds nothing of another owner', async () => {
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

describe('the life of a key', () => {
  test('revoked anywhere, it is refused here within a second', async () => {
    const key = await app.key()
    const { id } = await newestKey()
    expect((await app.send('/api/v1/cities', { key })).status).toBe(200)
    await revokeKey(app.deps, id)
    await refusedWithinASecond(key)
  })

  test('rotated, both keys work until the old one expires; it has one successor', async () => {
    const { createKey, rotateKey, listKeys } = await import('../../src/auth/keys/verbs/keys.ts')
    const old = await createKey(app.deps, { ownerEmail: 'dev@test.example', scopes: ['pros:read'], name: 'rotated' })
    const next = await rotateKey(app.deps, old.id, { overlapHours: 24 })
    expect(next.scopes).toEqual(['pros:read'])
    for (const key of [old.secret, next.secret]) expect((await app.send('/api/v1/cities', { key })).status).toBe(200)
    const [, listed] = await listKeys(app.deps, 'dev@test.example')
    expect(listed).toMatchObject({ id: old.id, replacedBy: next.id })
    expect(Date.parse(listed?.expiresAt ?? '') - app.deps.clock.now().getTime()).toBe(24 * 3_600_000)
    expect(rotateKey(app.deps, old.id)).rejects.toMatchObject({ code: 'validation_failed' })
    const ended = await rotateKey(app.deps, next.id, { overlapHours: 0 })
    expect((await app.send('/api/v1/cities', { key: ended.secret })).status).toBe(200)
    await refusedWithinASecond(next.secret)
  })

  test('a widget’s key needs an origin, and an origin is scheme and host', async () => {
    const { createKey } = await import('../../src/auth/keys/verbs/keys.ts')
    const make = (origin?: string) =>
      createKey(app.deps, {
        ownerEmail: 'dev@test.example',
        scopes: ['widget:book'],
        name: 'widget',
        ...(origin ? { origin } : {}),
      })
    for (const origin of [undefined, 'shop.example', 'ftp://shop.example', 'https://shop.example/path', 'null', '*'])
      expect(make(origin)).rejects.toMatchObject({ code: 'validation_failed' })
    expect((await make('https://Shop.example:8443/')).origin).toBe('https://shop.example:8443')
  })

  test('its last use is noted without a write per request', async () => {
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

describe('pages', () => {
  test('read in public from anywhere; with a widget’s key only its own origin reads', async () => {
    const anyone = await app.send('/api/v1/cities', { headers: { origin: 'https://any.test.example' } })
    expect(anyone.status).toBe(200)
    const key = keys.get('widget:public') ?? ''
    const widget = await app.send('/api/v1/cities', { key, headers: { origin: WIDGET_ORIGIN } })
    expect(widget.status).toBe(200)
  })

  test('ask first, and hear what a path takes', async () => {
    const answer = await app.app.handle(
      new Request('http://localhost/api/v1/bookings', {
        method: 'OPTIONS',
        headers: { origin: WIDGET_ORIGIN, 'access-control-request-method': 'POST' },
      }),
    )
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization')
  })
})
