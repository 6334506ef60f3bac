// User management by operators: invitations, password links, log-outs, disabling. At least one operator always remains.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { LINK_HOURS } from '../../../src/auth/users/verbs/password-links.ts'
import { listChanges } from '../../../src/auth/users/verbs/changes.ts'
import { createUser, disableUser, findUsers } from '../../../src/auth/users/verbs/users.ts'
import { type TestApp, openTestApp } from '../../support/app.ts'
import { watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { SEEDED_AT } from '../../support/database.ts'
import { findPros } from '../../support/reviews.ts'
import { PASSWORD, Visitor, createTestUser, loggedInVisitor } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const HOUR_MS = 3_600_000
const NEW_PASSWORD = 'chosen by the person'

const world = await useConsole()
const watched = await world.logIn('operator')

describe('in a browser', () => {
  afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

  const seesNotice = (text: string) => watched.page.locator('.notice', { hasText: text }).waitFor()
  const open = (summary: string) => watched.page.locator('summary', { hasText: summary }).click()
  const goToUsers = () =>
    watched.page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Users' }).click()

  test('an invited user chooses a password with the link and logs in', async () => {
    const { page, errors } = watched
    const email = `${'long-name-'.repeat(6)}s@users.test.example`
    await goToUsers()
    await open('Invite a user')
    await page.getByLabel('E-mail address', { exact: true }).fill(email)
    await page.locator('#new-role').selectOption('pro')
    await page.getByLabel('Pro, by id or slug').fill('unknown')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('Must be the id or slug of a pro').waitFor()
    expect(errors.splice(0)).toEqual([expect.stringContaining('400') as string])
    await checkPage(watched, 'console-users-refused')
    await page.getByLabel('Pro, by id or slug').fill(world.pro.slug)
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    await checkPage(watched, 'console-user-invited')
    await page.reload()
    expect(await page.content()).not.toContain(link.split('/').at(-1) ?? 'no token')

    const person = await watchPage(world.browser)
    await person.page.goto(link)
    await checkPage(person, 'console-password')
    await person.page.getByLabel('New password').fill('short')
    await person.page.getByRole('button', { name: 'Set password' }).click()
    await person.page.getByText('Must be text from 12').waitFor()
    await person.page.getByLabel('New password').fill(NEW_PASSWORD)
    await person.page.getByRole('button', { name: 'Set password' }).click()
    await person.page.getByText('Your password is set').waitFor()
    await person.page.getByLabel('E-mail address').fill(email)
    await person.page.getByLabel('Password').fill(NEW_PASSWORD)
    await person.page.getByRole('button', { name: 'Log in' }).click()
    await person.page.getByRole('link', { name: 'Bookings' }).first().waitFor()

    // The operator disables the user, whose next click leads to the log-in page.
    await page.reload()
    await open('Disable')
    await page.getByRole('button', { name: 'Disable user' }).click()
    await seesNotice('is disabled')
    await checkPage(watched, 'console-user-disabled')
    await person.page.reload()
    await person.page.getByRole('heading', { name: 'Log in' }).waitFor()
    await person.page.goto(link)
    await person.page.getByRole('heading', { name: 'Link not valid' }).waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await seesNotice('can log in again')
    await person.page.context().close()
  })

  test('users can be searched by address, role and status', async () => {
    const { page } = watched
    const email = await createTestUser(world.app, 'developer')
    await disableUser(ctxOf(world.app.deps), { email })
    await goToUsers()
    await checkPage(watched, 'console-users')
    await page.getByLabel('E-mail address or business').fill(email.toUpperCase())
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
    await page.getByRole('table', { name: '1 user found' }).waitFor()
    await page.getByLabel('Status').selectOption('enabled')
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
    await page.getByText('No users found').waitFor()
    await checkPage(watched, 'console-users-none')
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByRole('link', { name: email }).click()
    await page.getByRole('table', { name: 'Last ' }).getByText('Command line').first().waitFor()
  })

  test('users can be found and logged out with the keyboard only', async () => {
    const email = await createTestUser(world.app, 'operator')
    const other = new Visitor(world.app)
    await other.logIn(email)
    const { page } = watched
    await goToUsers()
    await page.getByLabel('E-mail address or business').focus()
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: '1 user found' }).waitFor()
    await page.getByRole('link', { name: email }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: email }).waitFor()
    await page.getByRole('button', { name: 'Create a password link' }).focus()
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'End 1 session' }).waitFor()
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key)
    await seesNotice('logged out everywhere')
    expect((await other.get('/console')).location).toBe('/console/login')
  })
})

describe('without a browser', () => {
  let app: TestApp
  let nowMs = Date.parse(SEEDED_AT)
  beforeAll(async () => {
    app = await openTestApp('seeded', { clock: { now: () => new Date(nowMs) } })
  })
  afterAll(() => app.close())

  const idOf = async (email: string) => (await findUsers(ctxOf(app.deps), { q: email })).users[0]?.id ?? ''
  const pathOf = async (email: string) => `/console/users/${await idOf(email)}`
  const linkFor = async (operator: Visitor, email: string) => {
    await operator.post(`${await pathOf(email)}/link`)
    const { text } = await operator.get(await pathOf(email))
    return /\/console\/password\/[\w-]{43}/.exec(text)?.[0] ?? ''
  }
  const choose = (path: string, password = NEW_PASSWORD) => new Visitor(app).postRaw(path, { password })

  test('a password link works once, for a day, until the next one; the old password works until then', async () => {
    const operator = await loggedInVisitor(app, 'operator')
    const email = await createTestUser(app, 'developer')
    const [replaced, link] = [await linkFor(operator, email), await linkFor(operator, email)]
    expect((await new Visitor(app).logIn(email)).status).toBe(303)
    expect((await choose(replaced)).status).toBe(404)
    // A link preview does not use up the link.
    for (let n = 0; n < 2; n++) expect((await new Visitor(app).get(link)).status).toBe(200)
    const statuses = await Promise.all([choose(link), choose(link)])
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404])
    expect((await new Visitor(app).logIn(email)).status).toBe(401)
    expect((await new Visitor(app).logIn(email, NEW_PASSWORD)).status).toBe(303)

    const late = await linkFor(operator, email)
    nowMs += LINK_HOURS * HOUR_MS
    expect((await new Visitor(app).get(late)).status).toBe(404)
    expect((await choose(late)).status).toBe(404)
  })

  test('a password link works only from its page, is stored as a hash, and ends when the user is disabled', async () => {
    const operator = await loggedInVisitor(app, 'operator')
    const email = await createTestUser(app, 'developer')
    const link = await linkFor(operator, email)
    const foreign = await new Visitor(app).postRaw(link, { password: NEW_PASSWORD }, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    const { text } = await new Visitor(app).get(link)
    expect(text).not.toContain(PASSWORD)
    await operator.post(`${await pathOf(email)}/disable`)
    expect((await choose(link)).status).toBe(404)
    await operator.post(`${await pathOf(email)}/enable`)
    expect((await choose(link)).status).toBe(404)
    const [row] = await app.deps.read.run<{ links: string | null }>(
      'allLinks',
      (sql) => sql`select string_agg(to_jsonb(l)::text, ' ') as links from password_links l`,
    )
    expect(row?.links ?? '').not.toContain(link.split('/').at(-1) ?? '')
  })

  test('choosing a password ends all earlier sessions', async () => {
    const operator = await loggedInVisitor(app, 'operator')
    const email = await createTestUser(app, 'developer')
    const attacker = new Visitor(app)
    await attacker.logIn(email)
    expect((await choose(await linkFor(operator, email))).location).toBe('/console/login?chosen=1')
    expect((await attacker.get('/console')).location).toBe('/console/login')
  })

  test('a user sets another password only with the current one', async () => {
    const email = await createTestUser(app, 'developer')
    const user = new Visitor(app)
    await user.logIn(email)
    const change = (current: string) => user.post('/console/account/password', { current, next: NEW_PASSWORD })
    for (const current of ['', NEW_PASSWORD, `${PASSWORD} `])
      expect([current, (await change(current)).status]).toEqual([current, 400])
    expect((await new Visitor(app).logIn(email)).status).toBe(303)
    expect((await change(PASSWORD)).status).toBe(303)
    expect((await new Visitor(app).logIn(email)).status).toBe(401)
    expect((await new Visitor(app).logIn(email, NEW_PASSWORD)).status).toBe(303)
  })

  test('operators cannot disable themselves or create a link for themselves', async () => {
    const email = await createTestUser(app, 'operator')
    const operator = new Visitor(app)
    await operator.logIn(email)
    await loggedInVisitor(app, 'operator')
    for (const verb of ['disable', 'link']) {
      await operator.post(`${await pathOf(email)}/${verb}`)
      const { text } = await operator.get(await pathOf(email))
      expect([verb, text.includes('notice bad'), text.includes('/console/password/')]).toEqual([verb, true, false])
    }
  })

  test('of two operators who disable each other at the same time, one stays enabled', async () => {
    const other = await openTestApp('migrated')
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await createTestUser(other, 'operator'), await createTestUser(other, 'operator')]
      const before = await findUsers(ctxOf(other.deps), { role: 'operator', state: 'enabled' })
      const ids = new Map(before.users.map(({ email, id }) => [email, id]))
      for (const { email } of before.users)
        if (email !== a && email !== b) await disableUser(ctxOf(other.deps), { email })
      const outcomes = await Promise.allSettled([
        disableUser(ctxOf(other.deps), { email: a, by: ids.get(b) ?? null }),
        disableUser(ctxOf(other.deps), { email: b, by: ids.get(a) ?? null }),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'last_operator' } })
      expect((await findUsers(ctxOf(other.deps), { role: 'operator', state: 'enabled' })).total).toBe(1)
    }
    await other.close()
  })

  test('the history records every change and its author', async () => {
    const by = await createTestUser(app, 'operator')
    const operator = new Visitor(app)
    await operator.logIn(by)
    const email = `written-${crypto.randomUUID()}@users.test.example`
    const { location } = await operator.post('/console/users', { email, role: 'developer' })
    const link = /\/console\/password\/[\w-]{43}/.exec((await operator.get(location ?? '')).text)?.[0] ?? ''
    await choose(link)
    for (const verb of ['log-out', 'disable', 'enable', 'link']) {
      nowMs += 1000
      await operator.post(`${location}/${verb}`)
    }
    const changes = await listChanges(ctxOf(app.deps), { userId: location?.split('/').at(-1) ?? '' })
    expect(changes.map(({ action, by }) => [action, by])).toEqual([
      ['link_made', by],
      ['enabled', by],
      ['disabled', by],
      ['logged_out', by],
      ['password_set', email],
      ['created', by],
    ])
  })

  test('an invitation for an existing address or a wrong account creates no user', async () => {
    const operator = await loggedInVisitor(app, 'operator')
    const email = await createTestUser(app, 'operator')
    const [pro] = await findPros(app, 1)
    const refused: [Record<string, string>, number][] = [
      [{ email, role: 'developer' }, 409],
      [{ email: 'unknown', role: 'developer' }, 400],
      [{ email: 'new@users.test.example', role: 'king' }, 400],
      [{ email: 'new@users.test.example', role: 'pro' }, 400],
      [{ email: 'new@users.test.example', role: 'operator', pro: pro?.slug ?? '' }, 400],
      [{ email: 'new@users.test.example', role: 'operator', account: 'a@users.test.example' }, 400],
      [{ email: 'new@users.test.example', role: 'developer', account: pro?.email ?? '' }, 400],
    ]
    for (const [fields, status] of refused)
      expect([fields, (await operator.post('/console/users', fields)).status]).toEqual([fields, status])
    expect((await findUsers(ctxOf(app.deps), { q: 'new@users.test.example' })).total).toBe(0)
  })

  test('long lists have pages, and the search term is plain text', async () => {
    const email = (n: number) => `many-%_${String(n).padStart(3, '0')}@users.test.example`
    const createDeveloper = (n: number) =>
      createUser(ctxOf(app.deps), { email: email(n), role: 'developer', password: PASSWORD })
    await Promise.all(Array.from({ length: 25 }, (_, n) => createDeveloper(n)))
    const operator = await loggedInVisitor(app, 'operator')
    const first = await operator.get('/console/users?q=many-%25_&role=&state=')
    expect(first.text).toContain('1 to 20 of 25')
    expect(first.text).toContain('25 users found')
    const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect((await operator.get(next)).text).toContain(email(24))
    expect((await findUsers(ctxOf(app.deps), { q: 'many%' })).total).toBe(0)
  })
})
