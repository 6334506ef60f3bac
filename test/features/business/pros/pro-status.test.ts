// A pro pauses, or an operator pauses the pro: customers find and book the pro no more, and what is booked goes on.
import { describe, expect, test } from 'bun:test'

import { getFinishedWork } from '../../../../src/features/customers/customers/verbs/finished-work.ts'
import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { PRO } from '../../../../src/features/business/pros/states.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { type FixturePro, book, bookingBody, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const it = await opened(openBookingFixture())
const { app, sql } = it
const operator = await loggedInVisitor(app, 'operator')

const newPro = async () => {
  const pro = await it.pro({ deposit: false })
  return { pro, owner: await loggedInVisitor(app, 'pro', { pro: pro.id }) }
}
const isFound = async ({ id }: FixturePro) => {
  const { professionals } = (await (await app.send('/api/v1/pros?limit=50')).json()) as {
    professionals: { id: string }[]
  }
  return professionals.some((found) => found.id === id)
}
const statusOf = async ({ id }: FixturePro) => {
  const [row] = await sql<{ status: string; active: boolean; held: boolean }[]>`
    select status, active, paused_by_operator as held from professionals where id = ${id}`
  return row
}
const change = (
  visitor: typeof operator,
  { id }: FixturePro,
  action: 'pause' | 'resume',
  reason = 'The license expired.',
) => visitor.post(`/console/verification/${id}/status`, { action, reason })
const messagesTo = async ({ email }: FixturePro) =>
  await sql<{ data: { status: string; operatorReason: string | null } }[]>`
    select data from messages where recipient = ${email} and kind = 'pro-status' order by created_at, id`

describe('a pro who pauses', () => {
  test('is not found, booked or asked, and is so again after the pause', async () => {
    const { pro, owner } = await newPro()
    expect(await isFound(pro)).toBe(true)
    await owner.post('/console/settings/status', { action: 'pause' })
    expect([await isFound(pro), await statusOf(pro)]).toEqual([false, { status: 'paused', active: false, held: false }])
    expect((await app.send(`/api/v1/profile/public/${pro.id}`)).status).toBe(404)
    expect((await app.send('/api/v1/bookings', { key: it.key, json: bookingBody(pro) })).status).toBe(404)
    const customer = { name: 'Homeowner in Austin', email: 'home@example.com' }
    const json = { professionalId: pro.id, serviceId: pro.serviceId, customer, description: 'The gutter leaks.' }
    expect((await app.send('/api/v1/rfqs', { key: await app.key(['rfqs:write']), json })).status).toBe(404)
    expect((await owner.get('/console')).text).toContain('You are paused')
    expect((await owner.get('/console/settings')).text).toContain('Resume')

    await owner.post('/console/settings/status', { action: 'resume' })
    expect(await isFound(pro)).toBe(true)
    expect((await app.send('/api/v1/bookings', { key: it.key, json: bookingBody(pro) })).status).toBe(201)
    expect((await owner.get('/console')).text).not.toContain('You are paused')
  })

  test('keeps visits that are booked, which move and are cancelled as before, and reviews of work that was done', async () => {
    const { pro, owner } = await newPro()
    const { booking } = await book(it, pro)
    const other = await book(it, pro, 2)
    await owner.post('/console/settings/status', { action: 'pause' })
    const moved = { date: '2026-11-24', time: '10:00' }
    const send = (path: string, json: object) => app.send(`/api/v1/bookings/${path}`, { key: it.key, json })
    expect((await send(`${booking.id}/reschedule`, moved)).status).toBe(200)
    expect((await send(`${other.booking.id}/cancel`, {})).status).toBe(200)
    const review = {
      professionalId: pro.id,
      rating: 2,
      content: 'It leaks again.',
      customer: { name: 'Homeowner in Austin', email: 'home@example.com' },
    }
    expect((await app.send('/api/v1/reviews', { key: await app.key(['reviews:write']), json: review })).status).toBe(
      201,
    )
    await sql`update bookings set status = 'completed', completed_at = ends_at where id = ${booking.id}`
    const actor = { customerEmail: 'home@example.com', accountId: null, isProven: true }
    const work = getFinishedWork(ctxOf(app.deps).as(actor), { kind: 'booking', id: booking.id })
    expect(work).resolves.toMatchObject({ professionalId: pro.id })
  })

  test('is told by e-mail, and the audit log names who it was', async () => {
    const { pro, owner } = await newPro()
    await owner.post('/console/settings/status', { action: 'pause' })
    await owner.post('/console/settings/status', { action: 'resume' })
    expect((await messagesTo(pro)).map(({ data }) => [data.status, data.operatorReason])).toEqual([
      ['paused', null],
      ['active', null],
    ])
    const actions = await listActions(ctxOf(app.deps), { subjectId: pro.id })
    expect(actions.map(({ action }) => action)).toEqual(['pro.resumed', 'pro.paused'])
    expect(actions.every(({ by }) => by !== null)).toBe(true)
  })

  test('cannot pause twice', async () => {
    const { pro, owner } = await newPro()
    await owner.post('/console/settings/status', { action: 'pause' })
    await owner.post('/console/settings/status', { action: 'pause' })
    expect((await owner.get('/console/settings')).text).toContain('does not allow')
    expect(await messagesTo(pro)).toHaveLength(1)
  })
})

describe('a pro whom an operator pauses', () => {
  test('reads why, and cannot end it', async () => {
    const { pro, owner } = await newPro()
    await change(operator, pro, 'pause')
    expect(await statusOf(pro)).toEqual({ status: 'paused', active: false, held: true })
    await owner.post('/console/settings/status', { action: 'resume' })
    await owner.post('/console/settings/status', { action: 'pause' })
    expect(await statusOf(pro)).toEqual({ status: 'paused', active: false, held: true })
    expect(await isFound(pro)).toBe(false)
    const { text } = await owner.get('/console/settings')
    expect([text.includes('We have paused your page'), text.includes('>Resume<')]).toEqual([true, false])
    expect((await messagesTo(pro)).map(({ data }) => data.operatorReason)).toEqual(['The license expired.'])

    await change(operator, pro, 'resume', 'The new one came.')
    expect([await isFound(pro), await statusOf(pro)]).toEqual([true, { status: 'active', active: true, held: false }])
    const actions = await listActions(ctxOf(app.deps), { subjectId: pro.id })
    expect(actions.map(({ action, reason }) => [action, reason])).toEqual([
      ['pro.resumed', 'The new one came.'],
      ['pro.paused', 'The license expired.'],
    ])
  })

  test('stays paused when the pro had chosen it before', async () => {
    const { pro, owner } = await newPro()
    await owner.post('/console/settings/status', { action: 'pause' })
    await change(operator, pro, 'pause')
    await owner.post('/console/settings/status', { action: 'resume' })
    expect(await statusOf(pro)).toEqual({ status: 'paused', active: false, held: true })
  })

  test('is in the list of paused pros, and the page says who paused and lets the operator resume', async () => {
    const { pro } = await newPro()
    await change(operator, pro, 'pause')
    expect((await operator.get('/console/verification?show=paused')).text).toContain(`/console/verification/${pro.id}`)
    const { text } = await operator.get(`/console/verification/${pro.id}`)
    expect(text).toContain('An operator has paused the pro')
    expect(text).toContain('Let customers find the pro')
  })

  test('needs a reason, and what was typed stays', async () => {
    const { pro } = await newPro()
    const { status, text } = await change(operator, pro, 'pause', '')
    expect([status, text.includes('Reason')]).toEqual([400, true])
    expect((await statusOf(pro))?.status).toBe('active')
  })
})

test('the database knows the same states, and keeps a paused pro from being found', async () => {
  const rows = await sql<{ move: string }[]>`
    select from_state || ' → ' || to_state as move from state_transitions where aggregate = 'pro' order by 1`
  const table = Object.entries(PRO).flatMap(([from, moves]) => Object.values(moves).map((to) => `${from} → ${to}`))
  expect(rows.map(({ move }) => move)).toEqual(table.sort())
  const { pro } = await newPro()
  const saving = (change: Promise<unknown>) =>
    change.then(
      () => 'saved',
      ({ message }: Error) => message,
    )
  const hidden = saving(sql`update professionals set active = false where id = ${pro.id}`)
  expect(await hidden).toContain('professionals_status')
  const shown = saving(sql`update professionals set status = 'paused' where id = ${pro.id}`)
  expect(await shown).toContain('professionals_status')
})
