// Customers' addresses cannot be probed, and codes cannot be asked for without limit.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { requestContextOf } from '../../src/auth/request-context.ts'
import { type TestApp, instrumentedApp, openTestApp } from '../support/app.ts'
import { CODE_PATH, askForCode, codeFor, newAddress, signIn, signedInCustomer } from '../support/customers.ts'
import { opened } from '../support/fixture.ts'
import { type PageResponse, Visitor } from '../support/visitor.ts'

const app = await opened(openTestApp('migrated'))

describe('an address', () => {
  test('cannot be probed: the answers to a known and an unknown one are the same', async () => {
    const served = instrumentedApp(app.deps)
    let count = 0
    /** Each from its own client address, so that limits tell nothing. */
    const probe = async (email: string) => {
      const at = `203.0.113.${++count}`
      const visitor = new Visitor(app, async (request) => {
        requestContextOf(request).peer = () => at
        return await served.fetch(request)
      })
      await visitor.get('/my/sign-in')
      const csrf = await visitor.csrfToken('/my')
      const startedMs = performance.now()
      const answer = await visitor.postRaw('/my/sign-in', { csrf, email })
      return { answer, tookMs: performance.now() - startedMs, next: await visitor.get(answer.location ?? '') }
    }
    const plain = ({ status, text, location, headers }: PageResponse) => ({
      status,
      text: text.replaceAll(/customer-[\w-]+@customers.test.example|value="[\w-]{43}"/g, '…'),
      location,
      headers: [...headers].filter(([name]) => !['x-request-id', 'ratelimit', 'date'].includes(name)),
    })
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let round = 0; round < 20; round++) {
      const known = newAddress()
      await signedInCustomer(app, known)
      const [one, two] = [await probe(known), await probe(newAddress())]
      expect(plain(one.answer)).toEqual(plain(two.answer))
      expect(plain(one.next)).toEqual(plain(two.next))
      times.known.push(one.tookMs)
      times.unknown.push(two.tookMs)
    }
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[list.length / 2] ?? 0
    const ratio = median(times.known) / median(times.unknown)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  }, 60_000)

  test('that is malformed is named at the field, and gets no code', async () => {
    const visitor = new Visitor(app)
    const refused = await askForCode(visitor, 'not an address')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('id="email-error"')
    expect((await visitor.get(CODE_PATH)).location).toBe('/my/sign-in')
  })

  test('of a developer, a pro or an operator opens the customer’s pages and none of their account', async () => {
    const email = newAddress()
    await app.key(['pros:read'], email)
    const visitor = await signedInCustomer(app, email)
    const [{ id: developer } = { id: '' }] = await app.sql<
      { id: string }[]
    >`select id from accounts where email = ${email}`
    const [customer] = await app.sql<{ accountId: string }[]>`select account_id from customers where email = ${email}`
    expect(customer?.accountId).not.toBe(developer)
    expect((await visitor.get('/console')).location).toContain('/console/login')
  })
})

describe('asking for codes', () => {
  let limited: TestApp
  let served: TestApp['app']
  beforeAll(async () => {
    limited = await openTestApp('migrated', { env: { LOGINS_PER_ADDRESS: '12' } })
    served = instrumentedApp(limited.deps)
  })
  afterAll(() => limited.close())

  const visitorAt = (address: string) =>
    new Visitor(limited, async (request) => {
      requestContextOf(request).peer = () => address
      return await served.fetch(request)
    })
  const ask = async (by: Visitor, email: string, times = 1) => {
    let last = 0
    for (let n = 0; n < times; n++) last = (await askForCode(by, email)).status
    return last
  }

  test('from one client is limited, per mail address and in total', async () => {
    const email = newAddress()
    const by = visitorAt('198.51.100.7')
    expect(await ask(by, email, 5)).toBe(303)
    const refused = await askForCode(by, email)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.text).toContain('You asked for too many codes')
    for (let n = 7; n <= 12; n++) expect(await ask(by, newAddress())).toBe(303)
    expect(await ask(visitorAt('198.51.100.7'), newAddress())).toBe(429)
    const [row] = await limited.sql`select count(*)::int as n from messages where recipient = ${email}`
    expect(row).toEqual({ n: 5 })
  })

  const countCodes = async (email: string) =>
    (await limited.sql`select from messages where recipient = ${email} and kind = 'sign-in'`).length

  /** Strangers use up what an address is sent in an hour. */
  async function useUp(email: string): Promise<void> {
    for (let n = 1; n <= 4; n++) expect(await ask(visitorAt(`198.51.100.2${n}`), email, 5)).toBe(303)
    expect(await countCodes(email)).toBe(20)
  }

  test('by strangers does not lock the customer out: a client that has not asked within a day gets a code and signs in with it', async () => {
    const email = newAddress()
    await useUp(email)
    expect((await signIn(limited, visitorAt('203.0.113.9'), email)).status).toBe(303)
    expect((await signIn(limited, visitorAt('2001:db8:7::1'), email)).status).toBe(303)
    expect(await countCodes(email)).toBe(22)
  })

  test('beyond what an address is sent is answered alike and sends nothing, but known browsers are sent theirs', async () => {
    const email = newAddress()
    const owner = visitorAt('203.0.113.19')
    expect((await signIn(limited, owner, email)).status).toBe(303)
    for (let n = 1; n <= 4; n++) await ask(visitorAt(`198.51.100.4${n}`), email, 5)
    // Of one provider's network four clients get a code each, whatever their number.
    for (let n = 1; n <= 8; n++) await ask(visitorAt(`198.51.100.6${n}`), email)
    for (let n = 1; n <= 8; n++) await ask(visitorAt(`2001:db8:9:${n}::1`), email)
    expect(await countCodes(email)).toBe(20 + 4 + 4)
    const stranger = visitorAt('198.51.100.69')
    const asked = await askForCode(stranger, email)
    expect([asked.status, asked.location]).toEqual([303, CODE_PATH])
    expect((await stranger.get(CODE_PATH)).text).toContain(`We sent a code to <strong>${email}</strong>`)
    expect(await countCodes(email)).toBe(28)
    owner.cookies.delete('hearth-customer')
    expect((await signIn(limited, owner, email)).status).toBe(303)
  })

  test('by many networks at once sends an address at most 120 codes in an hour', async () => {
    const email = newAddress()
    await useUp(email)
    for (let n = 1; n <= 110; n++) await ask(visitorAt(`10.${n}.0.1`), email)
    expect(await countCodes(email)).toBe(120)
  }, 60_000)

  test('by strangers leaves the code of one’s own browser alone, and so does asking again when no code is sent', async () => {
    const email = newAddress()
    const owner = visitorAt('203.0.113.29')
    await askForCode(owner, email)
    const code = await codeFor(limited, email)
    const stranger = visitorAt('198.51.100.50')
    for (let n = 1; n <= 5; n++) await askForCode(stranger, email)
    for (let n = 1; n <= 5; n++) await stranger.post(CODE_PATH, { code: '00000000' })
    for (let n = 1; n <= 3; n++) await ask(visitorAt(`198.51.100.5${n}`), email, 5)
    await ask(owner, email)
    const sent = await countCodes(email)
    await ask(owner, email)
    expect(await countCodes(email)).toBe(sent)
    const newest = sent > 20 ? await codeFor(limited, email) : code
    expect((await owner.post(CODE_PATH, { code: newest })).status).toBe(303)
  })

  test('is refused alike for addresses of customers and others', async () => {
    const known = newAddress()
    await signIn(limited, visitorAt('203.0.113.20'), known)
    const refusals = []
    for (const [n, email] of [known, newAddress()].entries()) {
      const by = visitorAt(`203.0.113.3${n}`)
      await ask(by, email, 5)
      const { status, text } = await askForCode(by, email)
      refusals.push({ status, text: text.replaceAll(/customer-[\w-]+@|value="[\w-]{43}"/g, '…') })
    }
    expect(refusals[1]).toEqual(refusals[0])
  })
})
