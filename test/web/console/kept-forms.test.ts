// A form of the console that is sent after its session has ended: what was typed waits for its user, and for no other.
import { describe, expect, test } from 'bun:test'

import type { Access } from '../../../src/auth/access.ts'
import { ACCESS_KEY, FORM_KEY, UPLOAD_KEY } from '../../../src/http/guard.ts'
import { openKeptForm } from '../../../src/http/kept-form.ts'
import { openTestApp } from '../../support/app.ts'
import { SEEDED_AT } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
import { findPros } from '../../support/reviews.ts'
import { PASSWORD, Visitor, createTestUser, visitorFromNewAddress } from '../../support/visitor.ts'

const HOUR_MS = 3_600_000
let nowMs = Date.parse(SEEDED_AT)
const app = await opened(openTestApp('seeded', { clock: { now: () => new Date(nowMs) } }))
const [pro] = await findPros(app, 1)

const PATH = '/console/profile/texts'
const ENDED = 'Your session has ended.'
const NOT_SENT = 'Your session had ended, so this was not sent.'
const fieldOf = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

/** A visitor who is logged in as a new user of the pro. */
async function loggedIn(): Promise<{ visitor: Visitor; email: string }> {
  const [visitor, email] = [visitorFromNewAddress(app), await createTestUser(app, 'pro', { pro: pro?.id ?? '' })]
  expect((await visitor.logIn(email)).location).toBe('/console')
  return { visitor, email }
}

const headline = 'Quick & careful <since 1990>'
const typed = { headline, about: 'We come on time.\nAnd we clean up.' }

/** Sends the form of a visitor whose session has ended meanwhile. */
async function sendLate(visitor: Visitor, path: string, fields: Record<string, string>, referer?: string) {
  const csrf = await visitor.csrfToken()
  nowMs += 3 * HOUR_MS
  const from: Record<string, string> = referer === undefined ? {} : { referer }
  return await visitor.postRaw(path, { csrf, ...fields }, from)
}

/** Logs in on the page, as a browser would: with its hidden fields. */
const logInOn = (visitor: Visitor, text: string, email: string, password = PASSWORD) =>
  visitor.postRaw('/console/login', {
    csrf: fieldOf(text, 'csrf'),
    next: fieldOf(text, 'next'),
    kept: fieldOf(text, 'kept'),
    email,
    password,
  })

const isSaved = async (visitor: Visitor) =>
  (await visitor.get('/console/profile')).text.includes('careful &lt;since 1990')

describe('a form that is sent after its session has ended', () => {
  test('is shown again with what was typed once its user has logged in, and saved when it is sent again', async () => {
    const { visitor, email } = await loggedIn()
    const page = await sendLate(visitor, PATH, typed)
    expect(page.status).toBe(401)
    expect(page.text).toContain(ENDED)
    expect(page.text).not.toContain('careful')

    // A wrong password and a link by e-mail lose nothing.
    const wrong = await logInOn(visitor, page.text, email, 'a wrong long password')
    expect(wrong.text).toContain('Wrong e-mail or password.')
    const back = await logInOn(visitor, wrong.text, email)
    expect(back.status).toBe(200)
    expect(back.text).toContain('You are logged in again')
    const path = /action="([^"]+)"/.exec(back.text)?.[1] ?? ''
    expect(path).toBe(PATH)

    const shown = await visitor.postRaw(path, { csrf: fieldOf(back.text, 'csrf'), kept: fieldOf(back.text, 'kept') })
    expect(shown.status).toBe(200)
    expect(shown.text).toContain(NOT_SENT)
    expect(shown.text).toContain('Quick &amp; careful &lt;since 1990')
    expect(shown.text).toContain('And we clean up.')
    expect(await isSaved(visitor)).toBe(false)

    expect((await visitor.post(PATH, typed)).status).toBe(303)
    expect(await isSaved(visitor)).toBe(true)
  })

  test('is not shown to another user of the browser, nor in another browser, nor after a day', async () => {
    const { visitor, email } = await loggedIn()
    const page = await sendLate(visitor, PATH, typed)
    const other = await createTestUser(app, 'pro', { pro: pro?.id ?? '' })
    const answer = await logInOn(visitor, page.text, other)
    expect([answer.status, answer.location]).toEqual([303, '/console'])
    const kept = fieldOf(page.text, 'kept')
    expect((await visitor.post(PATH, { kept })).status).toBe(403)

    const late = visitorFromNewAddress(app)
    nowMs += 24 * HOUR_MS
    await late.logIn(email)
    expect((await late.post(PATH, { kept })).status).toBe(403)
  })

  test('is shown at its own address only, and with the token of the new session only', async () => {
    const { visitor, email } = await loggedIn()
    const page = await sendLate(visitor, PATH, typed)
    await logInOn(visitor, page.text, email)
    const kept = fieldOf(page.text, 'kept')
    expect((await visitor.post('/console/settings', { kept })).status).toBe(403)
    expect((await visitor.postRaw(PATH, { kept })).status).toBe(403)
    expect((await visitor.postRaw(PATH, { kept, csrf: fieldOf(page.text, 'csrf') })).status).toBe(403)
  })

  test('is not kept when another site or another session made it', async () => {
    const { visitor } = await loggedIn()
    await visitor.csrfToken()
    nowMs += 3 * HOUR_MS
    const forged = await visitor.postRaw(PATH, { csrf: 'A'.repeat(43), ...typed })
    expect([forged.status, forged.location]).toEqual([303, '/console/login'])
    const foreign = await visitor.postRaw(PATH, { csrf: 'A'.repeat(43), ...typed }, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    // Without the cookie that names the owner of the session, nothing is read.
    const unknown = new Visitor(app)
    unknown.cookies.set('hearth-session', 'A'.repeat(43))
    expect((await unknown.postRaw(PATH, typed)).location).toBe('/console/login')
  })

  test('keeps no password', async () => {
    const { visitor, email } = await loggedIn()
    const page = await sendLate(visitor, '/console/account/password', {
      current: PASSWORD,
      next: 'another long password',
    })
    const [row] = await app.sql<{ id: string }[]>`select id from users where email = ${email}`
    const user = { kept: fieldOf(page.text, 'kept'), userId: row?.id ?? '' }
    expect(openKeptForm(app.deps, user)).toEqual({ path: '/console/account/password', fields: '' })
    const back = await logInOn(visitor, page.text, email)
    const fields = { csrf: fieldOf(back.text, 'csrf'), kept: fieldOf(back.text, 'kept') }
    const { status, text } = await visitor.postRaw('/console/account/password', fields)
    expect(status).toBe(200)
    expect(text).toContain(NOT_SENT)
    expect(text).not.toContain('another long password')
    expect((await visitorFromNewAddress(app).logIn(email)).location).toBe('/console')
  })

  test('is not kept when it is very long; the log-in leads back to its page', async () => {
    const { visitor } = await loggedIn()
    const { deps } = app
    const long = { headline: 'x'.repeat(70_000) }
    const answer = await sendLate(visitor, PATH, long, `${deps.config.baseUrl}/console/profile?part=texts`)
    expect([answer.status, answer.location]).toEqual([303, '/console/login?next=%2Fconsole%2Fprofile%3Fpart%3Dtexts'])
  })

  test('of a button leads back to its page, which no other site can name', async () => {
    const { visitor } = await loggedIn()
    const press = (referer: string) => visitor.postRaw('/console/calendars/x/read', {}, { referer })
    nowMs += 3 * HOUR_MS
    expect((await press(`${app.deps.config.baseUrl}/console/calendars`)).location).toBe(
      '/console/login?next=%2Fconsole%2Fcalendars',
    )
    expect((await press('https://elsewhere.test.example/console/calendars')).location).toBe('/console/login')
  })
})

interface RouteHooks {
  detail?: { [ACCESS_KEY]?: Access; [FORM_KEY]?: object; [UPLOAD_KEY]?: object }
}

test('a kept form acts on no page: each declared form of a session is shown, or its page is gone', async () => {
  const { encryption, clock } = app.deps
  const NO_ID = '01890000-0000-7000-8000-000000000000'
  const forms = app.app.routes.flatMap(({ method, path, hooks }) => {
    const detail = (hooks as RouteHooks).detail
    const [form, roles] = [detail?.[FORM_KEY], detail?.[ACCESS_KEY]?.session]
    return method === 'POST' && roles && form && 'fields' in form && !detail?.[UPLOAD_KEY]
      ? [
          {
            path: path.replace(':kind', 'terms').replace(/:\w+/g, NO_ID),
            role: roles.includes('pro') ? ('pro' as const) : ('operator' as const),
          },
        ]
      : []
  })
  expect(forms.length).toBeGreaterThan(25)
  const users = Object.fromEntries(
    await Promise.all(
      (['pro', 'operator'] as const).map(async (role) => {
        const email = await createTestUser(app, role, role === 'pro' ? { pro: pro?.id ?? '' } : {})
        const visitor = visitorFromNewAddress(app)
        await visitor.logIn(email)
        const [row] = await app.sql<{ id: string }[]>`select id from users where email = ${email}`
        return [role, { visitor, id: row?.id ?? '' }] as const
      }),
    ),
  )
  const acted: unknown[] = []
  for (const { path, role } of forms) {
    const user = users[role]
    const until = new Date(clock.now().getTime() + HOUR_MS)
    const kept = encryption.encrypt(`form of user ${user?.id}`, { path, fields: 'action=cancel&name=x' }, until)
    const answer = await user?.visitor.post(path, { kept })
    // Pages that have the form only now and then, such as that of a pro who is verified, are shown without it.
    if (answer?.status !== 200 && answer?.status !== 404) acted.push([path, answer?.status, answer?.location])
  }
  expect(acted).toEqual([])
})
