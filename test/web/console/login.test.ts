// Logging in to the console: passwords, sessions, and attacks on them.
import { describe, expect, test } from 'bun:test'

import { createUser, disableUser, enableUser, setPassword } from '../../../src/auth/users/verbs/users.ts'
import { deleteOldRows } from '../../../src/features/upkeep/retention/verbs.ts'
import { openTestApp } from '../../support/app.ts'
import { SEEDED_AT } from '../../support/database.ts'
import { findPros } from '../../support/reviews.ts'
import { PASSWORD, Visitor, createTestUser, loggedInVisitor } from '../../support/visitor.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const HOUR_MS = 3_600_000
/** A clock that tests advance. */
let nowMs = Date.parse(SEEDED_AT)

const app = await opened(openTestApp('seeded', { clock: { now: () => new Date(nowMs) } }))
const pass = (ms: number) => void (nowMs += ms)

const WRONG = 'Wrong e-mail or password.'

describe('a password', () => {
  test('opens the console; a wrong one, an unknown address and a disabled user get the same response', async () => {
    const email = await createTestUser(app, 'operator')
    expect((await new Visitor(app).logIn(email.toUpperCase())).location).toBe('/console')
    const disabled = await createTestUser(app, 'operator')
    await disableUser(ctxOf(app.deps), { email: disabled })
    const answers = await Promise.all([
      new Visitor(app).logIn(email, 'a wrong long password'),
      new Visitor(app).logIn('unknown@users.test.example'),
      new Visitor(app).logIn(disabled),
    ])
    for (const { status, text } of answers) {
      expect(status).toBe(401)
      expect(text).toContain(WRONG)
    }
    await enableUser(ctxOf(app.deps), { email: disabled })
    expect((await new Visitor(app).logIn(disabled)).location).toBe('/console')
  })

  test('is stored as Argon2id and never shown', async () => {
    const email = await createTestUser(app, 'developer')
    const [row] = await app.deps.read.run<{ hash: string; all: string }>(
      'storedPassword',
      (sql) => sql`select password_hash as hash, to_jsonb(users)::text as all from users where email = ${email}`,
    )
    expect(row?.hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(row?.all).not.toContain(PASSWORD)
    expect((await new Visitor(app).logIn(email, 'a wrong long password')).text).not.toContain('a wrong long password')
  })

  test('has at least 12 characters', async () => {
    const createWithPassword = (password: string) =>
      createUser(ctxOf(app.deps), { email: 'short@users.test.example', role: 'operator', password })
    expect(createWithPassword('elevenchars')).rejects.toMatchObject({ code: 'validation_failed' })
    expect(createWithPassword('x'.repeat(201))).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('ends every session of the user when it changes', async () => {
    const email = await createTestUser(app, 'operator')
    const visitor = new Visitor(app)
    await visitor.logIn(email)
    expect((await visitor.get('/console')).status).toBe(200)
    const password = await setPassword(ctxOf(app.deps), { email })
    expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
    expect((await visitor.get('/console')).location).toBe('/console/login')
    expect((await visitor.logIn(email)).status).toBe(401)
    expect((await visitor.logIn(email, password)).location).toBe('/console')
  })
})

describe('a user', () => {
  test('has a unique e-mail address and an account that fits the role', async () => {
    const email = await createTestUser(app, 'operator')
    expect(createUser(ctxOf(app.deps), { email, role: 'operator' })).rejects.toMatchObject({
      code: 'user_exists',
    })
    const [pro] = await findPros(app, 1)
    const make = (input: Partial<Parameters<typeof createUser>[1]>) =>
      createUser(ctxOf(app.deps), { email: `${crypto.randomUUID()}@users.test.example`, role: 'developer', ...input })
    expect(make({ email: 'unknown' })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(make({ role: 'pro' })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(make({ role: 'pro', pro: 'unknown' })).rejects.toMatchObject({ code: 'professional_not_found' })
    expect(make({ account: pro?.email ?? '' })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(make({ pro: pro?.slug ?? '' })).rejects.toMatchObject({ code: 'validation_failed' })
    expect((await make({ role: 'pro', pro: pro?.slug ?? '' })).role).toBe('pro')
  })
})

describe('a session', () => {
  test('is stored as a hash, with a cookie that scripts and other sites cannot read', async () => {
    const visitor = new Visitor(app)
    const { headers } = await visitor.logIn(await createTestUser(app, 'operator'))
    const set = headers.getSetCookie().find((cookie) => cookie.startsWith('hearth-session=')) ?? ''
    expect(set).toMatch(/^hearth-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/i)
    const token = visitor.cookies.get('hearth-session') ?? ''
    const [row] = await app.deps.read.run<{ all: string }>(
      'allSessions',
      (sql) => sql`select string_agg(to_jsonb(sessions)::text, ' ') as all from sessions`,
    )
    expect(row?.all).not.toContain(token)
  })

  test('uses a cookie for this host and HTTPS only in production', async () => {
    const production = await openTestApp('migrated', {
      env: { HEARTH_ENV: 'production', HEARTH_SECRET: 'a secret of at least 32 characters' },
    })
    const visitor = await loggedInVisitor(production, 'operator')
    expect([...visitor.cookies.keys()]).toEqual([
      '__Host-hearth-session',
      '__Host-hearth-owner',
      '__Host-hearth-device',
    ])
    const { headers } = await new Visitor(production).get('/console/login')
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-hearth-login=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/i,
    )
    await production.close()
  })

  test('is new at each log-in, so that a planted or earlier one gives no access', async () => {
    const email = await createTestUser(app, 'operator')
    const visitor = new Visitor(app)
    const planted = 'A'.repeat(43)
    visitor.cookies.set('hearth-session', planted)
    await visitor.logIn(email)
    const first = visitor.cookies.get('hearth-session') ?? ''
    expect(first).not.toBe(planted)
    // A second log-in with the form that was opened before.
    const other = new Visitor(app)
    const csrf = await other.csrfToken()
    other.cookies.set('hearth-session', first)
    await other.postRaw('/console/login', { csrf, email, password: PASSWORD })
    expect(other.cookies.get('hearth-session')).not.toBe(first)
    for (const token of [planted, first]) {
      const attacker = new Visitor(app)
      attacker.cookies.set('hearth-session', token)
      expect((await attacker.get('/console')).location).toBe('/console/login')
    }
  })

  test('ends at log-out, two hours after its last use, and a day after it began', async () => {
    const visitor = await loggedInVisitor(app, 'operator')
    const cookies = new Map(visitor.cookies)
    expect((await visitor.post('/console/logout')).location).toBe('/console/login')
    expect(visitor.cookies.has('hearth-session')).toBe(false)
    for (const [name, value] of cookies) visitor.cookies.set(name, value)
    expect((await visitor.get('/console')).location).toBe('/console/login')

    const idle = await loggedInVisitor(app, 'operator')
    pass(1.9 * HOUR_MS)
    expect((await idle.get('/console')).status).toBe(200)
    pass(1.9 * HOUR_MS)
    expect((await idle.get('/console')).status).toBe(200)
    pass(2 * HOUR_MS)
    expect((await idle.get('/console')).location).toBe('/console/login')

    const busy = await loggedInVisitor(app, 'operator')
    for (let hour = 1; hour < 24; hour++) {
      pass(HOUR_MS)
      expect([hour, (await busy.get('/console')).status]).toEqual([hour, 200])
    }
    pass(HOUR_MS)
    expect((await busy.get('/console')).location).toBe('/console/login')
  })

  test('is deleted after it ends, also by concurrent sweeps', async () => {
    const left = await loggedInVisitor(app, 'operator')
    pass(3 * HOUR_MS)
    const remaining = await loggedInVisitor(app, 'operator')
    const swept = await Promise.all([1, 2, 3].map(() => deleteOldRows(ctxOf(app.deps), { table: 'sessions' })))
    expect(swept.reduce((sum, one) => sum + one.deleted, 0)).toBeGreaterThan(0)
    expect((await deleteOldRows(ctxOf(app.deps), { table: 'sessions' })).deleted).toBe(0)
    expect((await left.get('/console')).location).toBe('/console/login')
    expect((await remaining.get('/console')).status).toBe(200)
  })
})

describe('after logging in', () => {
  test('people return to the page that they requested', async () => {
    const visitor = new Visitor(app)
    const { location } = await visitor.get('/console?from=mail')
    expect(location).toBe('/console/login?next=%2Fconsole%3Ffrom%3Dmail')
    const { text } = await visitor.get(location ?? '')
    expect(text).toContain('name="next" value="/console?from=mail"')
    const email = await createTestUser(app, 'operator')
    expect((await visitor.logIn(email, PASSWORD, { next: '/console?from=mail' })).location).toBe('/console?from=mail')
  })

  const ELSEWHERE = [
    'https://elsewhere.test.example',
    '//elsewhere.test.example',
    '/\\elsewhere.test.example',
    '\\\\elsewhere.test.example',
    '/console//elsewhere.test.example',
    '/console/../../elsewhere',
    '/console@elsewhere.test.example',
    '/consoles',
    'javascript:alert(1)',
    '/console/%2e%2e',
    '/console\r\nset-cookie: a=b',
    '/console?a=b\r\nlocation: //elsewhere.test.example',
    '/console/login?next=/console',
    '',
    'console',
    '/api-docs',
  ]
  test.each(ELSEWHERE)('people are never redirected to %p', async (next) => {
    const email = await createTestUser(app, 'operator')
    const { location } = await new Visitor(app).logIn(email, PASSWORD, { next })
    expect(location).toBe('/console')
    const { text } = await new Visitor(app).get(`/console/login?next=${encodeURIComponent(next)}`)
    expect(text).toContain('name="next" value="/console"')
  })
})
