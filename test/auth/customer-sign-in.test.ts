// A stranger cannot sign in as another customer: codes work once, for minutes, in the browser that asked, and cannot be guessed.
import { describe, expect, test } from 'bun:test'

import { hashToken } from '../../src/auth/users/tokens.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../support/app.ts'
import { type ManualClock, manualClock } from '../support/booking-fixture.ts'
import { CODE_PATH, askForCode, codeFor, newAddress, signIn, signedInCustomer } from '../support/customers.ts'
import { opened } from '../support/fixture.ts'
import { Visitor } from '../support/visitor.ts'

let clock: ManualClock

const app = await opened(openTestApp('migrated', { clock: (clock = manualClock()) }))

const other = (code: string) => String((Number(code) + 1) % 1e8).padStart(8, '0')
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/my')).status === 200
const enter = (visitor: Visitor, code: string) => visitor.post(CODE_PATH, { code })

/** A visitor who has asked for a code, and the code. */
async function asked(email = newAddress()) {
  const visitor = new Visitor(app)
  await askForCode(visitor, email)
  return { visitor, email, code: await codeFor(app, email) }
}

describe('a code', () => {
  test('signs its address in, in any case and spacing, as a customer without a password', async () => {
    const email = newAddress()
    const visitor = new Visitor(app)
    expect((await askForCode(visitor, ` ${email.toUpperCase()} `)).location).toBe(CODE_PATH)
    const code = await codeFor(app, email)
    expect(code).toMatch(/^\d{8}$/)
    expect((await visitor.get(CODE_PATH)).text).toContain(email)
    expect(await enter(visitor, `${code.slice(0, 4)} ${code.slice(4)}`)).toMatchObject({ status: 303, location: '/my' })
    expect((await visitor.get('/my')).text).toContain(`Signed in as ${email}`)
    const [account] = await app.sql`
      select a.kind, a.email from customers c join accounts a on a.id = c.account_id where c.email = ${email}`
    expect(account).toMatchObject({ kind: 'customer' })
    expect(account?.['email']).not.toContain(email)
  })

  test('works once', async () => {
    const { visitor, code } = await asked()
    const cookie = visitor.cookies.get('hearth-sign-in') ?? ''
    expect((await enter(visitor, code)).status).toBe(303)
    const replay = new Visitor(app)
    replay.cookies.set('hearth-sign-in', cookie)
    expect((await enter(replay, code)).status).toBe(401)
    expect(await isSignedIn(replay)).toBe(false)
  })

  test('works once for many who enter it at the same time', async () => {
    const { visitor, code } = await asked()
    const csrf = await visitor.csrfToken('/my')
    const cookie = visitor.cookies.get('hearth-sign-in') ?? ''
    const enterAgain = async () => {
      const twin = new Visitor(app)
      twin.cookies.set('hearth-sign-in', cookie)
      return (await twin.postRaw(CODE_PATH, { csrf, code })).status
    }
    const waiting = async () => {
      const [row] = await app.sql<{ n: number }[]>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      return row?.n ?? 0
    }
    // All of them are past everything that comes before the code's row.
    const tries = await app.sql.begin(async (tx) => {
      await tx`select from sign_in_codes where browser_hash = ${hashToken(cookie)} for update`
      const sent = [enterAgain(), enterAgain()]
      if (!(await waitUntil(async () => (await waiting()) === 2, 10_000))) throw new Error('They do not wait.')
      return { sent }
    })
    expect((await Promise.all(tries.sent)).toSorted((a, b) => a - b)).toEqual([303, 401])
  })

  test('works in the browser that asked only, also when another asked for the same address', async () => {
    const email = newAddress()
    const { code } = await asked(email)
    const stranger = new Visitor(app)
    expect((await enter(stranger, code)).status).toBe(401)
    await askForCode(stranger, email)
    expect((await enter(stranger, code)).status).toBe(401)
    expect(await isSignedIn(stranger)).toBe(false)
  })

  test('works for its address only: asking for another one in the same browser replaces it', async () => {
    const { visitor, code } = await asked()
    const mine = newAddress()
    await askForCode(visitor, mine)
    expect((await enter(visitor, code)).status).toBe(401)
    expect((await enter(visitor, await codeFor(app, mine))).status).toBe(303)
    expect((await visitor.get('/my')).text).toContain(mine)
  })

  test('expires after ten minutes', async () => {
    const { visitor, code } = await asked()
    clock.advance(10)
    const late = await enter(visitor, code)
    expect(late.status).toBe(401)
    expect(late.text).toContain('Ask for a new one')
    const { visitor: quick, code: fresh } = await asked()
    clock.advance(9.99)
    expect((await enter(quick, fresh)).status).toBe(303)
  })

  test('is dead after five wrong ones', async () => {
    const { visitor, code } = await asked()
    expect((await enter(visitor, other(code))).text).toContain('You can try 4 more times.')
    for (let n = 2; n <= 5; n++) expect((await enter(visitor, other(code))).status).toBe(401)
    expect((await enter(visitor, code)).status).toBe(401)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('counts wrong ones that are entered at the same time', async () => {
    const { visitor, code } = await asked()
    await Promise.all(Array.from({ length: 12 }, () => enter(visitor, other(code))))
    const [row] = await app.sql`
      select tries_left from sign_in_codes where browser_hash = ${hashToken(visitor.cookies.get('hearth-sign-in') ?? '')}`
    expect(row).toEqual({ triesLeft: 0 })
    expect((await enter(visitor, code)).status).toBe(401)
  })

  test('is not stored: neither is the cookie, and the database alone cannot tell the code', async () => {
    const { visitor, code, email } = await asked()
    const rows = await app.sql<{ row: string }[]>`
      select row_to_json(t)::text as row from sign_in_codes t union all select row_to_json(m)::text from messages m
      where m.recipient = ${email}`
    const stored = rows.map(({ row }) => row).join('\n')
    expect(stored).toContain(email)
    expect(stored).not.toContain(code)
    expect(stored).not.toContain(visitor.cookies.get('hearth-sign-in') ?? '?')
  })
})

test('a cookie that a stranger planted in the browser opens nothing for the stranger', async () => {
  const email = newAddress()
  const stranger = new Visitor(app)
  await stranger.get('/my/sign-in')
  const planted = stranger.cookies.get('hearth-sign-in') ?? ''
  const victim = new Visitor(app)
  victim.cookies.set('hearth-sign-in', planted)
  await askForCode(victim, email)
  const code = await codeFor(app, email)
  expect((await enter(stranger, other(code))).status).toBe(401)
  expect((await enter(victim, code)).status).toBe(303)
  expect((await enter(stranger, code)).status).toBe(401)
  expect([await isSignedIn(victim), await isSignedIn(stranger)]).toEqual([true, false])
  expect(victim.cookies.has('hearth-sign-in')).toBe(false)
})

describe('the link in the message', () => {
  test('fills the code in where it was asked for, and opening it signs in no visitor', async () => {
    const { visitor, code } = await asked()
    const page = await visitor.get(`${CODE_PATH}?code=${code}`)
    expect(page.text).toContain(`value="${code}"`)
    expect(await isSignedIn(visitor)).toBe(false)
    // A mail scanner or preview has used nothing up.
    expect((await enter(visitor, code)).status).toBe(303)
  })

  test('tells another browser to type the code where it was asked for', async () => {
    const { code } = await asked()
    const elsewhere = new Visitor(app)
    const page = await elsewhere.get(`${CODE_PATH}?code=${code}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Go back to the browser')
    expect(page.text).not.toContain('<form method="post" action="/my/sign-in/code"')
    expect((await enter(elsewhere, code)).status).toBe(401)
  })
})

describe('a session', () => {
  test('has a cookie that scripts and other sites cannot use, and is new with each sign-in', async () => {
    const email = newAddress()
    const visitor = new Visitor(app)
    const planted = 'A'.repeat(43)
    visitor.cookies.set('hearth-customer', planted)
    const first = await signIn(app, visitor, email)
    const set = first.headers.getSetCookie().find((one) => one.startsWith('hearth-customer='))
    expect(set).toMatch(/HttpOnly/i)
    expect(set).toMatch(/SameSite=Lax/i)
    const token = visitor.cookies.get('hearth-customer') ?? ''
    expect(token).not.toBe(planted)
    // Signed in once more, the earlier session of this browser ends.
    const cookie = visitor.cookies.get('hearth-customer') ?? ''
    visitor.cookies.delete('hearth-customer')
    await askForCode(visitor, email)
    visitor.cookies.set('hearth-customer', cookie)
    const csrf = /name="csrf" value="([^"]+)"/.exec((await visitor.get(CODE_PATH)).text)?.[1] ?? ''
    await visitor.postRaw(CODE_PATH, { csrf, code: await codeFor(app, email) })
    expect(visitor.cookies.get('hearth-customer')).not.toBe(token)
    const before = new Visitor(app)
    before.cookies.set('hearth-customer', token)
    expect(await isSignedIn(before)).toBe(false)
  })

  test('ends by signing out, also for a copy of the cookie', async () => {
    const visitor = await signedInCustomer(app)
    const copy = new Visitor(app)
    copy.cookies.set('hearth-customer', visitor.cookies.get('hearth-customer') ?? '')
    expect(await isSignedIn(copy)).toBe(true)
    visitor.cookies.set('hearth-typed', 'the details of a booking')
    expect((await visitor.post('/my/sign-out')).location).toBe('/')
    expect(visitor.cookies.has('hearth-customer')).toBe(false)
    expect(visitor.cookies.has('hearth-typed')).toBe(false)
    expect(await isSignedIn(copy)).toBe(false)
  })

  test('ends after a week without use and after a month at the latest, and not by the clock of a day', async () => {
    const DAY = 24 * 60
    const idle = await signedInCustomer(app)
    clock.advance(6 * DAY)
    expect(await isSignedIn(idle)).toBe(true)
    clock.advance(7 * DAY)
    expect(await isSignedIn(idle)).toBe(false)
    const busy = await signedInCustomer(app)
    for (let days = 0; days < 30; days += 6) {
      expect(await isSignedIn(busy)).toBe(true)
      clock.advance(6 * DAY)
    }
    expect(await isSignedIn(busy)).toBe(false)
  })

  test('ends when the customer gets another address, which was not proven', async () => {
    const email = newAddress()
    const visitor = await signedInCustomer(app, email)
    await app.sql`update customers set email = ${newAddress()} where email = ${email}`
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('is neither one of the console nor the other way round', async () => {
    const token = (await signedInCustomer(app)).cookies.get('hearth-customer') ?? ''
    const swapped = new Visitor(app)
    swapped.cookies.set('hearth-session', token)
    expect((await swapped.get('/console')).location).toContain('/console/login')
  })

  test('leads to the page that was asked for, and to no other site', async () => {
    const email = newAddress()
    const visitor = new Visitor(app)
    expect((await visitor.get('/my/data')).location).toBe('/my/sign-in?next=%2Fmy%2Fdata')
    await askForCode(visitor, email, { next: '/my/data' })
    expect((await enter(visitor, await codeFor(app, email))).location).toBe('/my/data')
    for (const next of [
      'https://evil.test.example',
      '//evil.test.example',
      '/my/../console',
      '/my/sign-out',
      '/console',
    ]) {
      const mail = newAddress()
      const person = new Visitor(app)
      await askForCode(person, mail, { next })
      expect([next, (await enter(person, await codeFor(app, mail))).location]).toEqual([next, '/my'])
    }
  })
})

test('forms of signing in are refused without the cookie’s token', async () => {
  const email = newAddress()
  const bare = new Visitor(app)
  for (const csrf of ['', 'A'.repeat(43)]) {
    expect((await bare.postRaw('/my/sign-in', { csrf, email })).status).toBe(403)
    expect((await bare.postRaw(CODE_PATH, { csrf, code: '12345678' })).status).toBe(403)
  }
  const [row] = await app.sql`select count(*)::int as n from messages where recipient = ${email}`
  expect(row).toEqual({ n: 0 })
  // The token of another browser.
  const stranger = new Visitor(app)
  const csrf = await stranger.csrfToken('/my')
  await bare.get('/my/sign-in')
  expect((await bare.postRaw('/my/sign-in', { csrf, email })).status).toBe(403)
})
