// A person changes the address with which they log in: the new address proves it, the former one is told.
import { expect, test } from 'bun:test'

import { askForEmail } from '../../../src/auth/users/verbs/email-change.ts'
import { disableUser, setPassword } from '../../../src/auth/users/verbs/users.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { openBookingFixture } from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'
import { PASSWORD, Visitor, createTestUser, loggedInVisitor, visitorFromNewAddress } from '../../support/visitor.ts'

const fixture = await opened(openBookingFixture())
const { app, sql, clock } = fixture
const pro = await fixture.pro()

const newEmail = () => `new-${crypto.randomUUID()}@users.test.example`

async function person() {
  const email = await createTestUser(app, 'pro', { pro: pro.id })
  const [user] = await sql<{ id: string }[]>`select id from users where email = ${email}`
  const visitor = visitorFromNewAddress(app)
  await visitor.logIn(email)
  return { id: user?.id ?? '', email, visitor }
}

const ask = (visitor: Visitor, email: string, current = PASSWORD) =>
  visitor.post('/console/account/email', { email, current })

/** The link that a change of the address leads to, as the new address reads it. */
async function linkFor(userId: string, email: string): Promise<string> {
  let token = ''
  await askForEmail(ctxOf(app.deps), {
    userId,
    email,
    by: userId,
    planMessages: (_, asked) => Promise.resolve((token = asked.token ?? '')),
  })
  return `/console/email/${token}`
}

const logsIn = async (email: string) => (await visitorFromNewAddress(app).logIn(email)).location === '/console'
const told = (recipient: string) =>
  sql<{ kind: string; isDone: boolean | null; isByOperator: boolean | null }[]>`
    select kind, (data ->> 'isDone')::boolean as is_done, (data ->> 'isByOperator')::boolean as is_by_operator from messages
    where recipient = ${recipient} order by created_at, id`

test('nothing changes until the new address proves it; then all sessions end and the former address is told', async () => {
  const { id, email, visitor } = await person()
  const to = newEmail()
  expect((await ask(visitor, to)).location).toBe('/console/account')
  expect((await visitor.get('/console/account')).text).toContain(`We wrote to ${to}`)
  expect([await logsIn(email), await logsIn(to)]).toEqual([true, false])
  expect(await told(to)).toMatchObject([{ kind: 'address-link' }])
  expect(await told(email)).toMatchObject([{ kind: 'address-changed', isDone: false, isByOperator: false }])
  const link = await linkFor(id, to)
  const shown = await new Visitor(app).get(link)
  expect([shown.status, shown.text.includes(to), shown.text.includes(email)]).toEqual([200, true, true])
  expect(await logsIn(email)).toBe(true)
  expect((await new Visitor(app).postRaw(link, {})).text).toContain('Your address is changed')
  expect([await logsIn(email), await logsIn(to)]).toEqual([false, true])
  expect((await visitor.get('/console')).location).toContain('/console/login')
  expect((await told(email)).at(-1)).toMatchObject({ kind: 'address-changed', isDone: true })
  const changes = await sql<{ action: string }[]>`select action from user_changes where user_id = ${id} order by at, id`
  expect(changes.map(({ action }) => action)).toEqual(['created', 'email_changed'])
  const [account] = await sql<{ email: string }[]>`
    select a.email from accounts a join professionals p on p.account_id = a.id where p.id = ${pro.id}`
  expect(account?.email).toBe(pro.email)
})

test('a link works once, for a day, and no more after another password', async () => {
  const { id, email } = await person()
  const to = newEmail()
  const link = await linkFor(id, to)
  expect((await new Visitor(app).postRaw(link, {})).status).toBe(200)
  expect((await new Visitor(app).postRaw(link, {})).status).toBe(404)
  const objected = await linkFor(id, email)
  await setPassword(ctxOf(app.deps), { email: to, password: 'another good password' })
  expect((await new Visitor(app).postRaw(objected, {})).status).toBe(404)
  const late = await linkFor(id, email)
  clock.advance(24 * 60 + 1)
  expect((await new Visitor(app).get(late)).status).toBe(404)
  expect((await new Visitor(app).get('/console/email/forged')).status).toBe(404)
})

test('a person whose log-in was disabled changes no address with a link from before', async () => {
  const { id, email } = await person()
  const to = newEmail()
  const link = await linkFor(id, to)
  await disableUser(ctxOf(app.deps), { email })
  expect((await new Visitor(app).get(link)).status).toBe(404)
  expect((await new Visitor(app).postRaw(link, {})).status).toBe(404)
  expect(await sql`select from users where email = ${to}`).toHaveLength(0)
})

test('an address that is in use gets the same answer, and only its reader learns it', async () => {
  const [one, other] = [await person(), await person()]
  const [free, used] = [await ask(one.visitor, newEmail()), await ask(one.visitor, other.email)]
  expect([used.status, used.location]).toEqual([free.status, free.location])
  expect((await one.visitor.get('/console/account')).text).toContain(`We wrote to ${other.email}`)
  expect(await told(other.email)).toMatchObject([{ kind: 'address-link' }])
  let token: string | null = ''
  await askForEmail(ctxOf(app.deps), {
    userId: one.id,
    email: other.email,
    by: one.id,
    planMessages: (_, asked) => Promise.resolve((token = asked.token)),
  })
  expect(token).toBeNull()
  const late = newEmail()
  const link = await linkFor(one.id, late)
  await sql`update users set email = ${late} where id = ${other.id}`
  expect((await new Visitor(app).postRaw(link, {})).status).toBe(404)
})

test('a wrong password, the same address and a typo are refused with what was typed', async () => {
  const { email, visitor } = await person()
  const to = newEmail()
  for (const [typed, current, said] of [
    [to, 'not the password', 'is not your password'],
    [email, PASSWORD, 'is the address with which you log in now'],
    ['owner.example', PASSWORD, 'e-mail'],
  ] as const) {
    const { status, text } = await ask(visitor, typed, current)
    expect([typed, status, text.includes(`value="${typed}"`)]).toEqual([typed, 400, true])
    expect(text.toLowerCase()).toContain(said)
  }
  expect(await told(to)).toHaveLength(0)
})

test('an operator asks for a caller who lost the mailbox, with a reason, and the new address still proves it', async () => {
  const { id, email } = await person()
  const operator = await loggedInVisitor(app, 'operator')
  const to = newEmail()
  expect((await operator.get(`/console/users/${id}`)).text).toContain(`/console/users/${id}/email`)
  const without = await operator.post(`/console/users/${id}/email`, { email: to })
  expect([without.status, without.text.includes(to)]).toEqual([400, true])
  const reason = 'They named the last booking.'
  expect((await operator.post(`/console/users/${id}/email`, { email: to, reason })).status).toBe(303)
  expect([await logsIn(email), await logsIn(to)]).toEqual([true, false])
  expect(await told(email)).toMatchObject([{ kind: 'address-changed', isByOperator: true }])
  expect(await told(to)).toMatchObject([{ kind: 'address-link' }])
  const entries = await sql<{ reason: string; details: object }[]>`
    select reason, details from operator_actions where action = 'pro.owner_changed' and subject_id = ${pro.id}`
  expect(entries).toMatchObject([{ reason, details: { from: email, to } }])
  const developer = await createTestUser(app, 'developer')
  const [other] = await sql<{ id: string }[]>`select id from users where email = ${developer}`
  await operator.post(`/console/users/${other?.id}/email`, { email: newEmail(), reason })
  expect(await told(developer)).toHaveLength(0)
})
