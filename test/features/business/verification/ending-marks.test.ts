// A mark rests on evidence and may have a last day: the pro is warned 30 days before, and it goes by itself.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import type { Evidence, Marks } from '../../../../src/features/business/verification/schemas.ts'
import { endDueMarks, listEvidence, setMarks } from '../../../../src/features/business/verification/verbs.ts'
import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { STARTED_AT, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const fixture = await opened(openBookingFixture())
const { app, clock, sql } = fixture
const ctx = ctxOf(app.deps)

const NOTHING: Marks = { verified: false, backgroundCheck: false, insurance: false, credentials: false }
/** The day after the last one begins in Austin six hours later than in London. */
const AFTER_LAST_DAY = '2027-01-16T06:00:00.000Z'
const insured: Evidence = {
  mark: 'insurance',
  evidence: 'Policy 4711, by the insurer’s page',
  validUntil: '2027-01-15',
}

async function insuredPro() {
  clock.set(STARTED_AT)
  const pro = await fixture.pro({ deposit: false })
  const marks = { ...NOTHING, verified: true, insurance: true }
  await setMarks(ctx, { professionalId: pro.id, marks, evidence: [insured], reason: 'Seen.', by: null })
  return pro
}

async function passAt(instant: string): Promise<number> {
  clock.set(instant)
  return await endDueMarks(ctx, { limit: 100 })
}

async function toldOf({ id, email }: { id: string; email: string }) {
  const messages = await sql<{ expired: boolean }[]>`
    select (data->>'isExpired')::boolean as expired from messages where kind = 'mark-ends' and recipient = ${email} order by id`
  const [marks] = await sql<{ insurance: boolean; verified: boolean }[]>`
    select insurance, verified from professionals where id = ${id}`
  return { ...marks, messages: messages.map(({ expired }) => expired) }
}

test('the pro is warned once, 30 days before the last day ends where the pro is, and then loses the mark and keeps the others', async () => {
  const pro = await insuredPro()
  expect(await passAt('2026-12-17T05:59:59.000Z')).toBe(0)
  expect((await toldOf(pro)).messages).toEqual([])
  expect([await passAt('2026-12-17T06:00:00.000Z'), await passAt('2026-12-17T06:00:01.000Z')]).toEqual([1, 0])
  expect(await toldOf(pro)).toMatchObject({ insurance: true, messages: [false] })

  expect(await passAt('2027-01-16T05:59:59.000Z')).toBe(0)
  expect([await passAt(AFTER_LAST_DAY), await passAt(AFTER_LAST_DAY)]).toEqual([1, 0])
  expect(await toldOf(pro)).toMatchObject({ insurance: false, verified: true, messages: [false, true] })
  const [ended] = await listActions(ctx, { subjectId: pro.id })
  expect(ended).toMatchObject({
    action: 'mark.expired',
    by: null,
    details: { mark: 'insurance', validUntil: '2027-01-15', after: { insurance: false, verified: true } },
  })
  expect(await listEvidence(ctx, { professionalId: pro.id })).toEqual([])
})

test('one that ends sooner than in 30 days is warned of at once, and a day that has passed is refused', async () => {
  const pro = await insuredPro()
  const marks = { ...NOTHING, insurance: true }
  const until = (validUntil: string) =>
    setMarks(ctx, {
      professionalId: pro.id,
      marks,
      evidence: [{ ...insured, validUntil }],
      reason: 'Seen again.',
      by: null,
    })
  // It is the evening of November 19 where the pro is.
  expect(await until('2026-11-18').catch((error: unknown) => error)).toMatchObject({
    errors: [{ path: 'insuranceUntil' }],
  })
  expect(await listEvidence(ctx, { professionalId: pro.id })).toEqual([insured])
  expect(await until('2026-11-19')).toBe(true)
  expect([await passAt(STARTED_AT), (await toldOf(pro)).messages]).toEqual([1, [false]])
  expect([await until('2026-11-19'), await until('2027-03-01')]).toEqual([false, true])
  expect([await passAt('2026-11-21T00:00:00.000Z'), (await toldOf(pro)).insurance]).toEqual([0, true])
})

test('what is said of one mark leaves the others: a warning comes once, and a pro whose marks are set without evidence keeps the last day', async () => {
  const pro = await insuredPro()
  const set = (marks: Partial<Marks>, evidence?: Evidence[]) =>
    setMarks(ctx, {
      professionalId: pro.id,
      marks: { ...NOTHING, ...marks },
      evidence,
      reason: 'Seen again.',
      by: null,
    })
  expect(await passAt('2026-12-20T00:00:00.000Z')).toBe(1)
  const licensed: Evidence = { mark: 'credentials', evidence: 'License 55512', validUntil: null }
  const both = { insurance: true, credentials: true }
  expect(await set(both, [insured, licensed])).toBe(true)
  expect([await passAt('2026-12-20T01:00:00.000Z'), (await toldOf(pro)).messages]).toEqual([0, [false]])

  expect([await set(both), await set({ ...both, backgroundCheck: true })]).toEqual([false, true])
  expect(await listEvidence(ctx, { professionalId: pro.id })).toEqual([licensed, insured])
  expect([await set({ insurance: true }), await set(both)]).toEqual([true, true])
  expect(await listEvidence(ctx, { professionalId: pro.id })).toEqual([insured])
  expect([await passAt(AFTER_LAST_DAY), (await toldOf(pro)).insurance]).toEqual([1, false])

  // The pro changes the insurer, and loses the mark.
  const other = await insuredPro()
  await sql`
    insert into pro_business_entities (professional_id, insurance_carrier, updated_at) values (${other.id}, 'Another Mutual', now())`
  const again = { professionalId: other.id, marks: { ...NOTHING, insurance: true }, reason: 'Seen.', by: null }
  expect(await setMarks(ctx, again)).toBe(true)
  expect(await listEvidence(ctx, { professionalId: other.id })).toEqual([])
})

test('a mark that the pro lost by a change goes without another word, and comes back only with what an operator says of it', async () => {
  const pro = await insuredPro()
  await sql`
    insert into pro_business_entities (professional_id, insurance_carrier, updated_at) values (${pro.id}, 'Another Mutual', now())`
  expect(await listEvidence(ctx, { professionalId: pro.id })).toEqual([])
  expect(await passAt(AFTER_LAST_DAY)).toBe(1)
  expect(await toldOf(pro)).toMatchObject({ insurance: false, messages: [] })
  const [left] = await sql<{ n: number }[]>`
    select count(*)::int as n from mark_evidence where professional_id = ${pro.id}`
  expect(left?.n).toBe(0)
})

test('operators write evidence and last day in the form; the pro reads the day, and not the evidence', async () => {
  const pro = await insuredPro()
  const operator = await loggedInVisitor(app, 'operator')
  const path = `/console/verification/${pro.id}`
  const typed = {
    credentials: 'on',
    credentialsEvidence: 'License 55512, by the state’s register',
    credentialsUntil: '2027-06-30',
    reason: 'Checked.',
  }
  const refused = await operator.post(path, { ...typed, credentialsUntil: '2020-01-01' })
  expect([refused.status, refused.text.includes('License 55512')]).toEqual([400, true])
  expect((await operator.post(path, typed)).status).toBe(303)
  const { text } = await operator.get(path)
  for (const said of ['License 55512', 'June 30, 2027']) expect(text).toContain(said)
  expect(text).not.toContain('Policy 4711')
  const own = (await (await loggedInVisitor(app, 'pro', { pro: pro.id })).get('/console/my-verification')).text
  expect([own.includes('June 30, 2027'), own.includes('License 55512')]).toEqual([true, false])
})
