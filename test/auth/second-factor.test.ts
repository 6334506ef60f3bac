// The second factor of a log-in: a session needs it, a code works once, guesses are limited, and recovery codes and administrators help.
import { describe, expect, test } from 'bun:test'

import { createPasswordLink } from '../../src/auth/users/verbs/password-links.ts'
import { ctxOf } from '../../src/ctx.ts'
import { exportMarketplace } from '../../src/features/upkeep/marketplace/verbs.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { FACTOR_PATH, beginSetup, codeAt, codesOn, sendCode, setUpFactor } from '../support/second-factor.ts'
import { PASSWORD, type Visitor, createTestUser, visitorAt, visitorFromNewAddress } from '../support/visitor.ts'

const MINUTE_MS = 60_000
let nowMs = Date.parse('2026-11-20T12:00:10Z')
const now = () => new Date(nowMs)
const pass = (ms: number) => void (nowMs += ms)

const app = await opened(openTestApp('migrated', { clock: { now } }))
const { sql } = app
const ctx = ctxOf(app.deps)

/** An operator with a second factor, in a browser in which they are logged in. */
async function person() {
  const email = await createTestUser(app, 'operator')
  const visitor = visitorFromNewAddress(app)
  await visitor.logIn(email)
  const factor = await setUpFactor(visitor, now())
  // The next code is another one.
  pass(MINUTE_MS)
  const [user] = await sql<{ id: string }[]>`select id from users where email = ${email}`
  return { email, visitor, ...factor, id: user?.id ?? '' }
}

const isLoggedIn = async (visitor: Visitor) => (await visitor.get('/console/account')).status === 200
const messagesTo = async (email: string) =>
  (
    await sql<{ data: { kind: string; codesLeft: number; isByOther: boolean } }[]>`
      select data from messages where recipient = ${email} and kind = 'second-factor' order by id`
  ).map(({ data }) => [data.kind, data.codesLeft, data.isByOther] as const)
const changesOf = async (id: string) =>
  (await sql<{ action: string }[]>`select action from user_changes where user_id = ${id} order by at, id`).map(
    ({ action }) => action,
  )

describe('setting up', () => {
  test('shows a QR code and the key, stores nothing before a code proves it, and shows ten codes once', async () => {
    const email = await createTestUser(app, 'developer')
    const [visitor, elsewhere] = [visitorFromNewAddress(app), visitorFromNewAddress(app)]
    for (const one of [visitor, elsewhere]) await one.logIn(email)
    const wrong = await visitor.post(FACTOR_PATH, { action: 'begin', password: 'not this one' })
    expect([wrong.status, wrong.text.includes('Is not your password'), wrong.text.includes('<svg role="img"')]).toEqual(
      [400, true, false],
    )
    const { setup, secret, page } = await beginSetup(visitor)
    expect(page.text).toContain('aria-label="QR code for your app"')
    expect(page.text).toContain(secret.replaceAll(/.{4}(?=.)/g, '$& '))
    const refused = await visitor.post(FACTOR_PATH, { action: 'prove', setup, code: '000000' })
    expect([refused.status, refused.text.includes(secret), refused.text.includes('value="000000"')]).toEqual([
      400,
      true,
      true,
    ])
    expect(await sql`select from second_factors`).toHaveLength(0)
    // With a space in the middle, as apps show it.
    const code = codeAt(secret, now()).replace(/^.../, '$& ')
    const shown = await visitor.post(FACTOR_PATH, { action: 'prove', setup, code })
    const codes = codesOn(shown)
    expect(codes).toHaveLength(10)
    expect(shown.text).toContain('download="recovery-codes.txt"')
    expect([await isLoggedIn(visitor), await isLoggedIn(elsewhere)]).toEqual([true, false])
    expect(codesOn(await visitor.get(FACTOR_PATH))).toEqual([])
    expect((await visitor.get('/console/account')).text).toContain('10 recovery codes left')
    const [stored] = await sql<{ row: string }[]>`select to_jsonb(f)::text as row from second_factors f`
    for (const text of [secret, ...codes, ...codes.map((one) => one.replace('-', ''))])
      expect(stored?.row).not.toContain(text)
    // The page that is sent again, and a second one that was open, change nothing.
    const again = await visitor.post(FACTOR_PATH, { action: 'prove', setup, code })
    expect([again.status, again.text.includes('You have a second factor already')]).toEqual([409, true])
    expect(await messagesTo(email)).toEqual([['factor_set_up', 10, false]])
  })

  test('needs the page of the same session, for half an hour', async () => {
    const [one, other] = [visitorFromNewAddress(app), visitorFromNewAddress(app)]
    for (const visitor of [one, other]) await visitor.logIn(await createTestUser(app, 'operator'))
    const { setup, secret } = await beginSetup(one)
    const prove = (by: Visitor) => by.post(FACTOR_PATH, { action: 'prove', setup, code: codeAt(secret, now()) })
    expect((await prove(other)).text).toContain('The page was open for too long')
    pass(31 * MINUTE_MS)
    expect((await prove(one)).text).toContain('The page was open for too long')
  })
})

describe('a log-in', () => {
  test('gives no session after the password alone, and returns to where one was after the code', async () => {
    const { email, secret } = await person()
    const visitor = visitorFromNewAddress(app)
    const page = await visitor.logIn(email, PASSWORD, { next: '/console/users?q=a' })
    expect([page.status, page.text.includes('Type your code'), page.text.includes(email)]).toEqual([200, true, false])
    expect([visitor.cookies.has('hearth-session'), visitor.cookies.has('hearth-device')]).toEqual([false, false])
    expect(await isLoggedIn(visitor)).toBe(false)
    const empty = await sendCode(visitor, page, {})
    expect([empty.status, empty.text.includes('Is required')]).toEqual([400, true])
    const wrong = await sendCode(visitor, page, { code: '000000' })
    expect([wrong.status, wrong.text.includes('This code is wrong, or it was used before.')]).toEqual([401, true])
    const sent = await sendCode(visitor, wrong, { code: codeAt(secret, now()) })
    expect([sent.status, sent.location]).toEqual([303, '/console/users?q=a'])
    expect(await isLoggedIn(visitor)).toBe(true)
    expect((await visitor.get('/console/login/code')).location).toBe('/console/login')
  })

  test('accepts no code twice, also when it is sent twice at the same moment', async () => {
    const { email, secret } = await person()
    const visitors = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const visitor = visitorFromNewAddress(app)
        return { visitor, page: await visitor.logIn(email) }
      }),
    )
    const code = codeAt(secret, now())
    const sent = await Promise.all(visitors.map(({ visitor, page }) => sendCode(visitor, page, { code })))
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401, 401])
    const late = visitorFromNewAddress(app)
    const page = await late.logIn(email)
    expect((await sendCode(late, page, { code })).status).toBe(401)
    pass(MINUTE_MS)
    expect((await sendCode(late, page, { code: codeAt(secret, now()) })).status).toBe(303)
  })

  test('accepts each recovery code once: of two that are sent at the same moment, one wins', async () => {
    const { email, codes, id } = await person()
    const visitors = await Promise.all(
      [0, 1].map(async () => {
        const visitor = visitorFromNewAddress(app)
        return { visitor, page: await visitor.logIn(email) }
      }),
    )
    const recoveryCode = codes[0]?.toUpperCase() ?? ''
    const sent = await Promise.all(visitors.map(({ visitor, page }) => sendCode(visitor, page, { recoveryCode })))
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401])
    expect(await messagesTo(email)).toEqual([
      ['factor_set_up', 10, false],
      ['recovery_code_used', 9, false],
    ])
    expect(await changesOf(id)).toEqual(['created', 'factor_set_up', 'recovery_code_used'])
    const refused = sent.find(({ status }) => status === 401)
    expect(refused?.text).toContain('<details class="disclosure" open')
  })

  test('uses no code of another user, and no check of another browser', async () => {
    const [one, other] = [await person(), await person()]
    const visitor = visitorFromNewAddress(app)
    const page = await visitor.logIn(one.email)
    expect((await sendCode(visitor, page, { code: codeAt(other.secret, now()) })).status).toBe(401)
    expect((await sendCode(visitor, page, { recoveryCode: other.codes[0] ?? '' })).status).toBe(401)
    const thief = visitorFromNewAddress(app)
    const own = await thief.get('/console/login')
    const csrf = /name="csrf" value="([^"]+)"/.exec(own.text)?.[1] ?? ''
    const taken = await sendCode(thief, page, { csrf, code: codeAt(one.secret, now()) })
    expect([taken.status, taken.text.includes('Log in again')]).toEqual([401, true])
    expect((await sendCode(visitor, page, { code: codeAt(one.secret, now()) })).status).toBe(303)
  })

  test('starts again ten minutes after the password, and when the password was changed meanwhile', async () => {
    const { email, secret, visitor: owner } = await person()
    const visitor = visitorFromNewAddress(app)
    const late = await visitor.logIn(email)
    pass(11 * MINUTE_MS)
    const refused = await sendCode(visitor, late, { code: codeAt(secret, now()) })
    expect([refused.status, refused.text.includes('Too much time has passed')]).toEqual([401, true])
    const page = await visitor.logIn(email)
    await owner.post('/console/account/password', { current: PASSWORD, next: 'another long password' })
    // The owner proved the factor before, and stays logged in.
    expect(await isLoggedIn(owner)).toBe(true)
    expect((await sendCode(visitor, page, { code: codeAt(secret, now()) })).text).toContain('Log in again')
    expect(await isLoggedIn(visitor)).toBe(false)
  })

  test('needs the code also after the password was reset by mail', async () => {
    const { email, secret } = await person()
    const link = await createPasswordLink(ctx, { email, by: null, planMessage: () => Promise.resolve() })
    const visitor = visitorFromNewAddress(app)
    const password = 'chosen by mail, and long'
    expect((await visitor.postRaw(`/console/password/${link.token}`, { password })).status).toBe(303)
    const page = await visitor.logIn(email, password)
    expect([page.status, await isLoggedIn(visitor)]).toEqual([200, false])
    expect((await sendCode(visitor, page, { code: codeAt(secret, now()) })).status).toBe(303)
  })

  test('limits guesses, by user from many addresses and by address, and not in a browser that is known', async () => {
    const { email, secret, visitor: owner } = await person()
    const at = (n: number) => visitorAt(app, `198.51.100.${n}`)
    const guess = async (visitor: Visitor) => sendCode(visitor, await visitor.logIn(email), { code: '000000' })
    for (let n = 1; n <= 10; n++) expect((await guess(at(n))).status).toBe(401)
    const thief = at(11)
    const refused = await sendCode(thief, await thief.logIn(email), { code: codeAt(secret, now()) })
    expect([
      refused.status,
      refused.text.includes('Too many attempts'),
      refused.text.includes('Type your code'),
    ]).toEqual([429, true, true])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // A recovery code counts as well.
    const other = at(12)
    expect((await sendCode(other, await other.logIn(email), { recoveryCode: 'a2a2a-b3b3b' })).status).toBe(429)
    owner.cookies.delete('hearth-session')
    const page = await owner.logIn(email)
    expect((await sendCode(owner, page, { code: codeAt(secret, now()) })).status).toBe(303)
  })

  test('keeps what was typed before the session ended', async () => {
    const { email, secret, visitor } = await person()
    const [session] = await sql<{ n: number }[]>`
      with ended as (delete from sessions returning 1) select count(*)::int as n from ended`
    expect(session?.n).toBeGreaterThan(0)
    const csrf = await visitor.csrfToken()
    const sent = await visitor.postRaw('/console/users', { csrf, email: 'typed@users.test.example', role: 'developer' })
    expect(sent.status).toBe(401)
    const kept = /name="kept" value="([^"]+)"/.exec(sent.text)?.[1] ?? ''
    const login = /name="csrf" value="([^"]+)"/.exec(sent.text)?.[1] ?? ''
    const page = await visitor.postRaw('/console/login', { csrf: login, email, password: PASSWORD, kept })
    expect(page.text).toContain(`name="kept" value="${kept}"`)
    const back = await sendCode(visitor, page, { kept, code: codeAt(secret, now()) })
    expect([back.status, back.text.includes('Show what I typed')]).toEqual([200, true])
  })
})

describe('what is set up', () => {
  test('is renewed and removed with password and code only', async () => {
    const { email, visitor, secret, codes, id } = await person()
    const act = (action: string, fields: Record<string, string>) => visitor.post(FACTOR_PATH, { action, ...fields })
    for (const action of ['codes', 'remove']) {
      expect((await act(action, { password: PASSWORD, code: '000000' })).text).toContain('Is wrong or was used before')
      expect((await act(action, { password: 'no', code: codeAt(secret, now()) })).text).toContain(
        'Is not your password',
      )
    }
    const renewed = codesOn(await act('codes', { password: PASSWORD, code: codeAt(secret, now()) }))
    expect([renewed.length, renewed.filter((code) => codes.includes(code))]).toEqual([10, []])
    const [old = '', fresh = ''] = [codes[1], renewed[1]]
    expect((await act('remove', { password: PASSWORD, code: old })).status).toBe(400)
    // Administrators remove the factor of others without a code, and not their own.
    await visitor.post(`/console/users/${id}/second-factor`, { password: PASSWORD })
    expect((await visitor.get(`/console/users/${id}`)).text).toContain('Remove your own second factor on the page')
    expect((await act('remove', { password: PASSWORD, code: fresh })).status).toBe(303)
    expect((await visitorFromNewAddress(app).logIn(email)).status).toBe(303)
    expect((await changesOf(id)).slice(1)).toEqual([
      'factor_set_up',
      'recovery_codes_made',
      'recovery_code_used',
      'factor_removed',
    ])
    expect((await messagesTo(email)).map(([change]) => change)).toEqual((await changesOf(id)).slice(1))
  })

  test('is shown to administrators, who remove it with their own password, in the log and told by e-mail', async () => {
    const { email, id } = await person()
    const administrator = visitorFromNewAddress(app)
    await administrator.logIn(await createTestUser(app, 'operator'))
    expect((await administrator.get(`/console/users?q=${email}`)).text).toMatch(/<td[^>]*>Yes</)
    const remove = (password: string) => administrator.post(`/console/users/${id}/second-factor`, { password })
    await remove('not my password')
    expect((await administrator.get(`/console/users/${id}`)).text).toContain('This is not your password')
    expect(await sql`select from second_factors where user_id = ${id}`).toHaveLength(1)
    await remove(PASSWORD)
    const page = (await administrator.get(`/console/users/${id}`)).text
    expect([page.includes('logs in with the password only now'), page.includes('Second factor removed')]).toEqual([
      true,
      true,
    ])
    expect(await messagesTo(email)).toContainEqual(['factor_removed', 0, true])
    expect((await visitorFromNewAddress(app).logIn(email)).status).toBe(303)
    const support = visitorFromNewAddress(app)
    await support.logIn(await createTestUser(app, 'operator', { operatorRole: 'support' }))
    expect((await support.post(`/console/users/${id}/second-factor`, { password: PASSWORD })).status).toBe(403)
  })

  test('is in no log of a user, no export of the marketplace and no event', async () => {
    const { email, secret, codes } = await person()
    const rows = await sql<{ text: string }[]>`
      select data::text as text from messages where recipient = ${email}
      union all select to_jsonb(c)::text from user_changes c
      union all select to_jsonb(o)::text from operator_actions o`
    const texts = [...rows.map(({ text }) => text), JSON.stringify(await exportMarketplace(ctx))]
    for (const text of texts) for (const hidden of [secret, ...codes]) expect(text).not.toContain(hidden)
  })
})
