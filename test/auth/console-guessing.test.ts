// Password guessing: login attempts are limited, and block the guesser rather than the owner of the password.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { requestContextOf } from '../../src/auth/request-context.ts'
import { decryptData } from '../../src/features/messages/messages/verbs/secret-data.ts'
import { type TestApp, instrumentedApp, openTestApp } from '../support/app.ts'
import { Visitor, createTestUser } from '../support/visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

/** The links in the messages to the address, before they are sent. */
const linksTo = async ({ deps, sql }: TestApp, email: string): Promise<string[]> =>
  (
    await sql<{ secret: string }[]>`
      select data_encrypted as secret from messages where recipient = ${email} and kind = 'password-link' order by id`
  ).map(({ secret }) => (decryptData(ctxOf(deps), { text: secret }) as { url: string }).url)

let nowMs = Date.parse('2026-11-20T12:00:00Z')
const HOUR_MS = 3_600_000

describe('login attempts', () => {
  let limited: TestApp
  let served: TestApp['app']
  beforeAll(async () => {
    limited = await openTestApp('migrated', {
      env: { LOGINS_PER_ADDRESS: '12' },
      clock: { now: () => new Date(nowMs) },
    })
    served = instrumentedApp(limited.deps)
  })
  afterAll(() => limited.close())

  /** A visitor with their own client address, so that the attempts of other tests do not count. */
  function visitorAt(address: string): Visitor {
    return new Visitor(limited, async (request) => {
      requestContextOf(request).peer = () => address
      return await served.fetch(request)
    })
  }

  /** Tries wrong passwords and returns the last response. */
  async function guess(visitor: Visitor, email: string, times: number) {
    let response = await visitor.logIn(email, 'wrong password')
    for (let n = 1; n < times; n++) response = await visitor.logIn(email, 'wrong password')
    return response
  }

  test('from one address are limited, per e-mail address and in total', async () => {
    const email = await createTestUser(limited, 'operator')
    const by = visitorAt('198.51.100.7')
    expect((await guess(by, email, 10)).status).toBe(401)
    // The eleventh attempt is refused although the password is correct, and says when to retry.
    const refused = await by.logIn(email)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.text).toContain('Too many attempts')
    // Another user's password is still checked, until the client's own limit is reached.
    expect((await by.logIn(await createTestUser(limited, 'operator'))).status).toBe(303)
    expect((await visitorAt('198.51.100.7').logIn('unknown@users.test.example')).status).toBe(429)
  })

  test('from one address do not block the owner at another address', async () => {
    const email = await createTestUser(limited, 'operator')
    await guess(visitorAt('198.51.100.8'), email, 12)
    expect((await visitorAt('203.0.113.8').logIn(email)).status).toBe(303)
  })

  test('from many addresses are limited, and do not block the owner in a browser in which they logged in before', async () => {
    const email = await createTestUser(limited, 'operator')
    const person = visitorAt('203.0.113.9')
    expect((await person.logIn(email)).status).toBe(303)
    // A hundred in an hour, the owner's own included.
    for (let n = 1; n <= 9; n++) expect((await guess(visitorAt(`198.51.100.1${n}`), email, 10)).status).toBe(401)
    expect((await guess(visitorAt('198.51.100.20'), email, 10)).status).toBe(429)
    expect((await visitorAt('203.0.113.10').logIn(email)).status).toBe(429)
    person.cookies.delete('hearth-session')
    expect((await person.logIn(email.toUpperCase())).status).toBe(303)
  }, 60_000)

  test('from many addresses leave the owner in a new browser a way in: a link by e-mail, which makes the browser known', async () => {
    const email = await createTestUser(limited, 'operator')
    await Promise.all(Array.from({ length: 10 }, (_, n) => guess(visitorAt(`198.51.100.4${n}`), email, 10)))
    const owner = visitorAt('203.0.113.20')
    const refused = await owner.logIn(email)
    expect([refused.status, refused.text.includes('formaction="/console/login/link"')]).toEqual([429, true])
    // Strangers ask for links, too: more than an address is sent in an hour.
    const strangers = Array.from({ length: 25 }, (_, n) => visitorAt(`198.51.${100 + Math.floor(n / 5)}.6${n}`))
    await Promise.all(strangers.map((by) => by.post('/console/login/link', { email })))
    const asked = await owner.post('/console/login/link', { email })
    const unknown = await owner.post('/console/login/link', { email: 'unknown@users.test.example' })
    expect([asked.status, unknown.status]).toEqual([200, 200])
    for (const { text } of [asked, unknown]) expect(text).toContain('If this address has an account')
    expect(await linksTo(limited, 'unknown@users.test.example')).toEqual([])
    const path = new URL((await linksTo(limited, email)).at(-1) ?? '').pathname
    const password = 'correct horse battery staple'
    expect((await owner.postRaw(path, { password })).location).toBe('/console/login?chosen=1')
    expect((await owner.logIn(email, password)).status).toBe(303)
    // Elsewhere the guesses still count.
    expect((await visitorAt('203.0.113.21').logIn(email, password)).status).toBe(429)
  }, 60_000)

  test('and requests for links by strangers end no link that the owner was sent', async () => {
    const email = await createTestUser(limited, 'operator')
    const ask = (by: Visitor) => by.post('/console/login/link', { email })
    const owner = visitorAt('203.0.113.30')
    await ask(owner)
    const [first = ''] = await linksTo(limited, email)
    for (let n = 1; n <= 3; n++) expect((await ask(visitorAt(`198.51.100.8${n}`))).status).toBe(200)
    expect(await linksTo(limited, email)).toEqual([first, first, first, first])
    // Half a day later it still lasts for as long as its message said; a link that ends within the hour is replaced.
    nowMs += 12 * HOUR_MS
    await ask(visitorAt('198.51.100.84'))
    nowMs += 11.5 * HOUR_MS
    await ask(visitorAt('198.51.100.85'))
    const links = await linksTo(limited, email)
    expect([links[4], links[5] === first]).toEqual([first, false])
    const path = new URL(links[5] ?? '').pathname
    expect((await owner.postRaw(path, { password: 'correct horse battery staple' })).status).toBe(303)
    // A link that was used is not sent again.
    await ask(visitorAt('198.51.100.86'))
    const next = (await linksTo(limited, email)).at(-1)
    expect([first, links[5]]).not.toContain(next)
    expect((await owner.get(new URL(next ?? '').pathname)).status).toBe(200)
  })

  test('in a known browser are limited as well, and the browser is known for one e-mail address only', async () => {
    const [email, other] = [await createTestUser(limited, 'operator'), await createTestUser(limited, 'operator')]
    const person = visitorAt('203.0.113.11')
    await person.logIn(email)
    const cookie = person.cookies.get('hearth-device') ?? ''
    /** The same browser at another client address. */
    const elsewhere = (address: string, device = cookie) => {
      const by = visitorAt(address)
      by.cookies.set('hearth-device', device)
      return by
    }
    expect((await guess(elsewhere('203.0.113.12'), email, 10)).status).toBe(401)
    expect((await guess(elsewhere('203.0.113.13'), email, 1)).status).toBe(429)
    // For another user, or with a forged cookie, it counts as an unknown browser.
    expect((await guess(elsewhere('203.0.113.14'), other, 10)).status).toBe(401)
    expect((await guess(elsewhere('203.0.113.16'), other, 1)).status).toBe(401)
    expect((await guess(elsewhere('203.0.113.15', `x${cookie}`), email, 10)).status).toBe(401)
    expect((await guess(elsewhere('203.0.113.15', `x${cookie}`), email, 1)).status).toBe(429)
    expect(cookie).not.toContain(email)
  })
})
