// An owner gives members of the team log-ins with roles, changes and ends them. A worker sees and does what is theirs alone.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { closePro, reopenPro } from '../../../../src/features/business/closing/verbs/close.ts'
import { changeLoginRole, endLogin, giveLogin } from '../../../../src/features/business/members/verbs/logins.ts'
import { STARTED_AT, book, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { assign, newMember, personOf, teamOf } from '../../../support/team.ts'
import { PASSWORD, type Visitor, loggedInVisitor, visitorFromNewAddress } from '../../../support/visitor.ts'

const fixture = await opened(openBookingFixture())
const { app, sql, clock } = fixture
const team = await teamOf(fixture)
const { owner, dispatcher, worker, pro, work, colleague } = team

const newAddress = () => `crew-${crypto.randomUUID()}@users.test.example`
const linkIn = (text: string) => /\/console\/password\/[\w-]+/.exec(text)?.[0] ?? ''
const pageOf = (memberId: string) => `/console/team/${memberId}`

/** Gives a new member a log-in on the page. */
async function invite(by: Visitor, proRole: string, email = newAddress()) {
  const id = await newMember(fixture, pro, 'Crew 1')
  const { status } = await by.post(`${pageOf(id)}/login`, { email, proRole })
  const { text } = await by.get(pageOf(id))
  return { id, email, status, text }
}

/** The visitor who chose a password by the link. */
async function accept(link: string, email: string): Promise<Visitor> {
  const visitor = visitorFromNewAddress(app)
  expect((await visitor.postRaw(link, { password: PASSWORD })).status).toBe(303)
  expect((await visitor.logIn(email)).location).toBe('/console')
  return visitor
}

const told = (recipient: string) =>
  sql<{ kind: string; change: string | null; isOwn: boolean | null }[]>`
    select kind, data ->> 'change' as change, (data ->> 'isOwn')::boolean as is_own from messages
    where recipient = ${recipient} order by created_at, id`

const entries = (subjectId: string) =>
  sql<{ action: string; by: string; details: Record<string, unknown> }[]>`
    select a.action, u.email as by, a.details from operator_actions a left join users u on u.id = a.by_user_id
    where a.subject_id = ${subjectId} order by a.at, a.id`

describe('an owner', () => {
  test('gives a member a log-in by e-mail, and the member chooses a password and sees what the role allows', async () => {
    const { id, email, status, text } = await invite(owner.visitor, 'worker')
    expect(status).toBe(303)
    for (const part of [email, 'Invited', 'Send the invitation again']) expect(text).toContain(part)
    expect((await owner.visitor.get('/console/team')).text).toContain('worker')
    const member = await accept(linkIn(text), email)
    const { text: today } = await member.get('/console')
    expect(today).toContain('No visit ahead')
    for (const hidden of ['/console/leads', '/console/team', '/console/keys', '/console/search'])
      expect(today).not.toContain(`href="${hidden}`)
    expect(await told(email)).toMatchObject([{ kind: 'invitation' }])
    expect(await told(pro.email)).toMatchObject([{ kind: 'login-changed', change: 'invited', isOwn: false }])
    expect(await entries(id)).toMatchObject([{ action: 'member.invited', by: owner.email, details: { email } }])
    expect((await owner.visitor.get(pageOf(id))).text).toContain('Logs in')
  })

  test('gives a member one log-in, also when two owners press the button at the same moment', async () => {
    const id = await newMember(fixture, pro, 'Crew 1')
    const give = () => owner.visitor.post(`${pageOf(id)}/login`, { email: newAddress(), proRole: 'worker' })
    const answers = await Promise.all([give(), give()])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 409]))
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.text).toContain('has a log-in already')
  })

  test('sends the invitation again: the latest link works', async () => {
    const { id, email, text: first } = await invite(owner.visitor, 'dispatcher')
    expect((await owner.visitor.post(`${pageOf(id)}/login/link`)).status).toBe(303)
    const { text } = await owner.visitor.get(pageOf(id))
    expect((await visitorFromNewAddress(app).get(linkIn(first))).status).toBe(404)
    await accept(linkIn(text), email)
    expect(await told(email)).toMatchObject([{ kind: 'invitation' }, { kind: 'invitation' }])
  })

  test('changes the role, which counts at the next request, and both are told', async () => {
    const { visitor, memberId, email } = await personOf(fixture, pro, 'worker')
    expect((await visitor.get('/console/leads')).status).toBe(403)
    expect((await owner.visitor.post(`${pageOf(memberId)}/login/role`, { proRole: 'dispatcher' })).status).toBe(303)
    expect((await visitor.get('/console/leads')).status).toBe(200)
    expect((await visitor.get('/console/keys')).status).toBe(403)
    expect(await told(email)).toMatchObject([{ kind: 'login-changed', change: 'role', isOwn: true }])
    expect(await entries(memberId)).toMatchObject([
      { action: 'member.changed', by: owner.email, details: { from: 'worker', to: 'dispatcher' } },
    ])
  })

  test('ends the log-in: every session ends at once, and the address is free for another', async () => {
    const { visitor, memberId, email } = await personOf(fixture, pro, 'dispatcher')
    expect((await owner.visitor.post(`${pageOf(memberId)}/login/end`)).status).toBe(303)
    expect((await visitor.get('/console/bookings')).location).toContain('/console/login')
    expect((await visitorFromNewAddress(app).logIn(email)).status).not.toBe(303)
    expect(await told(email)).toMatchObject([{ kind: 'login-changed', change: 'ended', isOwn: true }])
    expect((await entries(memberId)).map(({ action }) => action)).toEqual(['member.ended'])
    const again = await owner.visitor.post(`${pageOf(memberId)}/login`, { email, proRole: 'worker' })
    expect(again.status).toBe(303)
    await accept(linkIn((await owner.visitor.get(pageOf(memberId))).text), email)
  })

  test('who removes a member ends the log-in, too', async () => {
    const { visitor, memberId, email } = await personOf(fixture, pro, 'worker')
    expect((await owner.visitor.post(`${pageOf(memberId)}/delete`)).status).toBe(303)
    expect((await visitor.get('/console')).location).toContain('/console/login')
    expect(await sql`select from users where email = ${email}`).toHaveLength(0)
    const byKey = await personOf(fixture, pro, 'worker')
    const removed = await app.send(`/api/v1/pro/team/${byKey.memberId}`, { key: pro.key, method: 'DELETE' })
    expect([removed.status, (await byKey.visitor.get('/console')).location?.includes('login')]).toEqual([204, true])
  })

  test('is told what to do about an address that has a log-in, and nothing typed is lost', async () => {
    const id = await newMember(fixture, pro, 'Crew 1')
    const own = await owner.visitor.post(`${pageOf(id)}/login`, { email: dispatcher.email, proRole: 'worker' })
    expect([own.status, own.text.includes(dispatcher.email)]).toEqual([400, true])
    expect(own.text).toContain('logs in to your business, as dispatcher')
    const other = await teamOf(fixture)
    const theirs = await owner.visitor.post(`${pageOf(id)}/login`, { email: other.worker.email, proRole: 'worker' })
    expect([theirs.status, theirs.text.includes(other.worker.email)]).toEqual([400, true])
    expect(theirs.text).toContain('Use another address')
    expect(await entries(id)).toHaveLength(0)
    const typo = await owner.visitor.post(`${pageOf(id)}/login`, { email: 'crew.example', proRole: 'worker' })
    expect([typo.status, typo.text.includes('crew.example')]).toEqual([400, true])
  })

  test('cannot change or end their own log-in, and the last owner stays', async () => {
    for (const act of ['end', 'role'])
      await owner.visitor.post(`${pageOf(owner.memberId)}/login/${act}`, { proRole: 'worker' })
    expect((await owner.visitor.get('/console/keys')).status).toBe(200)
    const only = await personOf(fixture, await fixture.pro(), 'owner')
    const [member] = await sql<{ id: string; professionalId: string; accountId: string }[]>`
      select m.id, m.professional_id, p.account_id from members m join professionals p on p.id = m.professional_id
      where m.id = ${only.memberId}`
    const ctx = ctxOf(app.deps, {
      accountId: member?.accountId ?? '',
      professionalId: member?.professionalId ?? '',
      userId: '01890000-0000-7000-8000-000000000000',
    })
    expect(endLogin(ctx, { id: only.memberId })).rejects.toMatchObject({ code: 'invalid_transition' })
    expect(changeLoginRole(ctx, { id: only.memberId, proRole: 'worker' })).rejects.toMatchObject({
      code: 'invalid_transition',
    })
    expect((await only.visitor.get('/console/keys')).status).toBe(200)
  })

  test('of another business reaches no member of this one', async () => {
    const other = await teamOf(fixture)
    const page = pageOf(worker.memberId)
    expect((await other.owner.visitor.get(page)).status).toBe(404)
    for (const act of ['link', 'role', 'end'])
      expect([act, (await other.owner.visitor.post(`${page}/login/${act}`, { proRole: 'owner' })).status]).toEqual([
        act,
        404,
      ])
    expect((await worker.visitor.get('/console/leads')).status).toBe(403)
    expect(await entries(worker.memberId)).toHaveLength(0)
  })
})

describe('a worker', () => {
  test('sees the visits and jobs that are assigned to them, in every list, and no others', async () => {
    const lists = ['/console', '/console/bookings?show=all', `/console/calendar?week=${team.week}`]
    for (const path of lists) {
      const { status, text } = await worker.visitor.get(path)
      expect([path, status, text.includes(work.assigned), text.includes(work.other)]).toEqual([path, 200, true, false])
      expect(text).not.toContain('The colleague')
    }
    expect((await worker.visitor.get('/console/bookings?show=all')).text).toContain(work.visit)
    expect((await worker.visitor.get('/console/bookings?show=all&q=Homeowner')).text).not.toContain(work.other)
    expect((await worker.visitor.get('/console/jobs')).text).toContain(work.job)
    for (const [path, status] of [
      [`/console/bookings/${work.assigned}`, 200],
      [`/console/bookings/${work.other}`, 404],
      [`/console/jobs/${work.job}`, 200],
    ] as const)
      expect([path, (await worker.visitor.get(path)).status]).toEqual([path, status])
    expect((await dispatcher.visitor.get(`/console/bookings/${work.other}`)).status).toBe(200)
  })

  test('without a visit of a job neither sees nor changes it', async () => {
    const { visitor } = await personOf(fixture, pro, 'worker')
    const { text } = await visitor.get('/console/jobs')
    expect(text).not.toContain(work.job)
    expect((await visitor.get(`/console/jobs/${work.job}`)).status).toBe(404)
    expect((await visitor.post(`/console/jobs/${work.job}/photos`, { photos: [] })).status).toBe(404)
    expect((await worker.visitor.post(`/console/jobs/${work.job}`, { action: 'cancel' })).status).toBe(403)
  })

  test('sees of a job their own visits, and not those of others', async () => {
    const other = await teamOf(fixture)
    for (const act of ['the visit begins', 'pro: complete visit', 'choose a time']) await other.acts[act]?.()
    for (const { visitor, email } of [other.dispatcher, other.worker]) {
      visitor.cookies.clear()
      await visitor.logIn(email)
    }
    const visits = await sql<
      { id: string }[]
    >`select id from bookings where job_id = ${other.work.job} order by created_at`
    const idsOn = (text: string) => visits.map(({ id }) => text.includes(id))
    const page = `/console/jobs/${other.work.job}`
    expect(idsOn((await other.dispatcher.visitor.get(page)).text)).toEqual([true, true])
    expect(idsOn((await other.worker.visitor.get(page)).text)).toEqual([true, false])
    clock.set(STARTED_AT)
  })

  test('marks only their own visits as completed, and does nothing else with them', async () => {
    const [mine, theirs] = [(await book(fixture, pro, 1)).booking.id, (await book(fixture, pro, 2)).booking.id]
    await assign(fixture, pro, mine, worker.memberId)
    await assign(fixture, pro, theirs, colleague)
    const act = (id: string, fields: Record<string, string>, by = worker.visitor) =>
      by.post(`/console/bookings/${id}`, fields).then(({ status }) => status)
    for (const action of ['cancel', 'no_show', 'reject', 'confirm'])
      expect([action, await act(mine, { action, reason: 'No.' })]).toEqual([action, 403])
    expect(await act(mine, { action: 'assign', assignToMemberId: colleague })).toBe(403)
    clock.set('2026-11-24T00:00:00.000Z')
    const later = visitorFromNewAddress(app)
    await later.logIn(worker.email)
    expect(await act(theirs, { action: 'complete' }, later)).toBe(404)
    expect((await later.get(`/console/bookings/${mine}`)).text).toContain('Mark as completed')
    expect(await act(mine, { action: 'complete' }, later)).toBe(303)
    clock.set(STARTED_AT)
    const states = await sql<{ id: string; status: string }[]>`
      select id, status from bookings where id in (${mine}, ${theirs}) order by id = ${theirs}`
    expect(states.map(({ status }) => status)).toEqual(['completed', 'confirmed'])
  })

  test('loses sight of a visit that is assigned to another member', async () => {
    const { id } = (await book(fixture, pro, 50)).booking
    await assign(fixture, pro, id, worker.memberId)
    expect((await worker.visitor.get(`/console/bookings/${id}`)).status).toBe(200)
    await assign(fixture, pro, id, colleague)
    expect((await worker.visitor.get(`/console/bookings/${id}`)).status).toBe(404)
  })

  test('connects no app to the business', async () => {
    for (const { visitor } of [worker, dispatcher]) {
      const { text, status } = await visitor.get('/console/apps')
      expect([status, text.includes('Ask an owner of the business')]).toEqual([403, true])
    }
  })
})

test('closing the account ends the log-ins of members, and reopening it brings back those that it ended', async () => {
  const other = await teamOf(fixture)
  await endLogin(await ownersCtx(other), { id: other.dispatcher.memberId })
  await closePro(ctxOf(app.deps), { professionalId: other.pro.id, by: null, operatorReason: null })
  for (const { visitor } of [other.owner, other.worker])
    expect((await visitor.get('/console')).location).toContain('/console/login')
  await reopenPro(ctxOf(app.deps), { professionalId: other.pro.id, by: null, reason: 'They came back.' })
  const back = visitorFromNewAddress(app)
  expect((await back.logIn(other.worker.email)).location).toBe('/console')
  expect((await back.get('/console/leads')).status).toBe(403)
  expect((await visitorFromNewAddress(app).logIn(other.dispatcher.email)).status).not.toBe(303)
})

test('of owners who end one another’s log-ins at the same moment, one remains', async () => {
  const pro = await fixture.pro()
  const owners = await Promise.all(Array.from({ length: 4 }, () => personOf(fixture, pro, 'owner')))
  const contexts = await Promise.all(owners.map((owner) => ownersCtx({ pro, owner })))
  const outcomes = await Promise.allSettled(
    contexts.map((ctx, n) => endLogin(ctx, { id: owners[(n + 1) % owners.length]?.memberId ?? '' })),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { code: 'invalid_transition' } },
  ])
})

test('a member who is removed while they are invited gets no log-in', async () => {
  const id = await newMember(fixture, pro, 'Crew 1')
  const ctx = await ownersCtx(team)
  await sql`update members set active = false, removed_at = now() where id = ${id}`
  expect(giveLogin(ctx, { id, email: newAddress(), proRole: 'worker' })).rejects.toMatchObject({
    code: 'member_not_found',
  })
})

test('an operator sees the role of each person, and that a log-in has ended', async () => {
  const operator = await loggedInVisitor(app, 'operator')
  const { memberId, email } = await personOf(fixture, pro, 'worker')
  const [user] = await sql<{ id: string }[]>`select id from users where email = ${email}`
  expect((await operator.get(`/console/users/${user?.id}`)).text).toContain('worker')
  await endLogin(await ownersCtx(team), { id: memberId })
  const { text } = await operator.get(`/console/users/${user?.id}`)
  expect([text.includes('ended this log-in'), text.includes('Enable')]).toEqual([true, false])
  const changes = await sql<
    { action: string }[]
  >`select action from user_changes where user_id = ${user?.id ?? ''} order by at, id`
  expect(changes.map(({ action }) => action)).toEqual(['created', 'disabled'])
})

/** The ctx of an owner who is logged in. */
async function ownersCtx({ pro, owner }: { pro: { id: string }; owner: { email: string } }) {
  const [row] = await sql<{ userId: string; accountId: string }[]>`
    select id as user_id, account_id from users where email = ${owner.email}`
  return ctxOf(app.deps, { professionalId: pro.id, userId: row?.userId ?? '', accountId: row?.accountId ?? '' })
}
