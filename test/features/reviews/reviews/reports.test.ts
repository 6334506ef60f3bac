// A pro reports a published review of theirs, and an operator keeps it or takes it down.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { withdrawReview } from '../../../../src/features/reviews/reviews/verbs/proof.ts'
import { keepReview, listLastReports, reportReview } from '../../../../src/features/reviews/reviews/verbs/reports.ts'
import { approveReview, submitReview, takeDownReview } from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { searchReviews } from '../../../../src/features/reviews/moderation/verbs.ts'
import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { book, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { pagePartsOf } from '../../../support/page-parts.ts'
import { createAuthor, newReview } from '../../../support/reviews.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const fixture = await opened(openBookingFixture())
const { app, clock, sql } = fixture
const ctx = ctxOf(app.deps)
const author = await createAuthor(app)
const untrue = { reason: 'untrue', words: 'We were never at this house.', by: null } as const

type Pro = Awaited<ReturnType<typeof fixture.pro>>

/** A published review, sent by another account. */
async function published(pro: Pro, content = 'They never came.') {
  const { review } = await submitReview(
    ctxOf(app.deps, { ...author, isProven: true }),
    newReview(pro.id, { content, rating: 1 }),
  )
  await approveReview(ctx, { id: review.id })
  return review.id
}

async function reported() {
  const pro = await fixture.pro({ deposit: false })
  const id = await published(pro)
  const report = () => reportReview(ctx.as({ professionalId: pro.id }), { id, ...untrue })
  await report()
  return { pro, id, report }
}

async function lastOf(id: string) {
  const { decidedAt, ...report } = (await listLastReports(ctx, { ids: [id] })).get(id) ?? {}
  return { ...report, isOpen: decidedAt === null }
}

const mailTo = async (email: string) =>
  (
    await sql<{ outcome: string }[]>`
      select data->>'outcome' as outcome from messages where kind = 'review-report-decided' and recipient = ${email} order by id`
  ).map(({ outcome }) => outcome)

const refusalOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => (error as { detail?: string }).detail ?? String(error),
  )

test('a pro reports a review on the page, the operator reads it first with the booking beside it and keeps it, and the pro reads the answer', async () => {
  const pro = await fixture.pro({ deposit: false })
  const id = await published(pro, 'They came late.')
  const { booking } = await book(fixture, pro)
  await sql`update reviews set booking_id = ${booking.id} where id = ${id}`
  await submitReview(
    ctxOf(app.deps, { ...author, isProven: true }),
    newReview(pro.id, { content: 'Waits to be read.' }),
  )

  const owner = await loggedInVisitor(app, 'pro', { pro: pro.id })
  const page = '/console/my-reviews'
  const refused = await owner.post(`${page}/${id}/report`, { reason: 'untrue', words: ' ' })
  expect([refused.status, refused.text.includes('value="untrue" selected')]).toEqual([400, true])
  expect((await owner.post(`${page}/${id}/report`, { reason: 'untrue', words: untrue.words })).status).toBe(303)
  const waiting = (await owner.get(page)).text
  expect([waiting.includes('we look at it'), waiting.includes('Send report')]).toEqual([true, false])
  expect(await (await app.send(`/api/v1/reviews?professionalId=${pro.id}`, { key: fixture.key })).text()).toContain(
    'They came late.',
  )

  const operator = await loggedInVisitor(app, 'operator')
  const { text: list } = await operator.get(`/console/reviews?pro=${pro.id}`)
  for (const said of [untrue.words, 'What it says is not true', booking.confirmationCode, 'nothing paid'])
    expect(list).toContain(said)
  expect(list.indexOf('They came late.')).toBeLessThan(list.indexOf('Waits to be read.'))
  const { text: onlyReported } = await operator.get(`/console/reviews?status=reported&pro=${pro.id}`)
  expect([onlyReported.includes('They came late.'), onlyReported.includes('Waits to be read.')]).toEqual([true, false])
  expect((await operator.get('/console')).text).toContain('/console/reviews?status=reported')

  const words = 'The booking shows that you came.'
  expect((await operator.post(`/console/reviews/${id}/keep`, { words: '' })).status).toBe(400)
  expect((await operator.post(`/console/reviews/${id}/keep`, { words })).status).toBe(303)
  expect((await operator.get(`/console/reviews?status=reported&pro=${pro.id}`)).text).not.toContain('They came late.')
  const answered = (await owner.get(page)).text
  for (const said of [words, 'the review stays', 'Report once more']) expect(answered).toContain(said)
  expect(await mailTo(pro.email)).toEqual(['kept'])
  const acts = await listActions(ctx, { subjectId: id })
  expect(acts.slice(0, 2)).toMatchObject([
    { action: 'review.kept', reason: words, by: expect.stringMatching(/^operator-/) as string },
    {
      action: 'review.reported',
      reason: untrue.words,
      by: expect.stringMatching(/^pro-/) as string,
      details: { reason: 'untrue' },
    },
  ])
})

test('taking it down answers the report with the reason, and so does an author who disowns the review', async () => {
  const taken = await reported()
  await takeDownReview(ctx, { id: taken.id, reason: 'It is about another business.' })
  expect(await lastOf(taken.id)).toMatchObject({
    isOpen: false,
    outcome: 'taken_down',
    answer: 'It is about another business.',
  })
  expect(await mailTo(taken.pro.email)).toEqual(['taken_down'])
  const owner = await loggedInVisitor(app, 'pro', { pro: taken.pro.id })
  const { text } = await owner.get('/console/my-reviews')
  expect([text.includes('took the review down'), text.includes('Send report')]).toEqual([true, false])
  expect(await refusalOf(taken.report())).toContain('Only a published review')

  const disowned = await reported()
  await ctx.transaction('disown', (ctx) => withdrawReview(ctx, { id: disowned.id, status: 'approved' }))
  expect(await lastOf(disowned.id)).toMatchObject({ isOpen: false, outcome: 'taken_down' })
  expect(await mailTo(disowned.pro.email)).toEqual(['taken_down'])
})

test('a review is reported once at a time and twice in all, and only by its own pro while it is published', async () => {
  const { pro, id, report } = await reported()
  expect(await refusalOf(report())).toContain('already')
  await keepReview(ctx, { id, words: 'It stays.' })
  clock.advance(60)
  await report()
  const [found] = (await searchReviews(ctx, { status: 'reported', pro: pro.id })).reviews
  expect(found?.report).toMatchObject({ earlierAnswer: 'It stays.', booking: null, otherBookings: 0 })
  await keepReview(ctx, { id, words: 'It still stays.' })
  expect(await refusalOf(report())).toContain('twice')
  expect(await lastOf(id)).toMatchObject({ answer: 'It still stays.', isLast: true })

  const [stranger, other] = [await fixture.pro({ deposit: false }), await reported()]
  const visitor = await loggedInVisitor(app, 'pro', { pro: stranger.id })
  const fields = { reason: 'untrue', words: 'Not ours.' }
  expect((await visitor.post(`/console/my-reviews/${other.id}/report`, fields)).status).toBe(404)
  const { review } = await submitReview(ctxOf(app.deps, { ...author, isProven: true }), newReview(pro.id))
  const early = reportReview(ctx.as({ professionalId: pro.id }), { id: review.id, ...untrue })
  expect(await refusalOf(early)).toContain('Only a published review')
})

test('an answer from a page that shows an earlier report answers no later one, which was not read', async () => {
  const { pro, id, report } = await reported()
  const operator = await loggedInVisitor(app, 'operator')
  const list = `/console/reviews?status=reported&pro=${pro.id}`
  const shown = pagePartsOf((await operator.get(list)).text, '/console').forms
  const seen = (act: string) =>
    shown.find(({ action }) => action.includes(`/${act}`))?.fields.find(({ name }) => name === 'report')?.value ?? ''
  await keepReview(ctx, { id, words: 'It stays.' })
  clock.advance(60)
  await report()
  const late = await loggedInVisitor(app, 'operator')
  for (const [act, fields] of [
    ['keep', { words: 'We said so before.' }],
    ['remove', { reason: 'Untrue.' }],
  ] as const) {
    const { status, text } = await late.post(`/console/reviews/${id}/${act}`, { ...fields, report: seen(act) })
    expect([act, status, text.includes('answered meanwhile: the review stays published')]).toEqual([act, 409, true])
  }
  expect(await lastOf(id)).toMatchObject({ isOpen: true, answer: null })
  expect(await mailTo(pro.email)).toEqual(['kept'])
})

test('of two reports, two answers, or an answer and a taking down at once, one counts and the other is told', async () => {
  const pro = await fixture.pro({ deposit: false })
  const id = await published(pro)
  const asked = () => refusalOf(reportReview(ctx.as({ professionalId: pro.id }), { id, ...untrue }))
  expect((await Promise.all([asked(), asked(), asked()])).filter((said) => said === 'done')).toHaveLength(1)

  const kept = () => refusalOf(keepReview(ctx, { id, words: 'It stays.' }))
  const answers = await Promise.all([kept(), kept(), kept()])
  expect(answers.toSorted()).toEqual([
    'The report was answered meanwhile: the review stays published.',
    'The report was answered meanwhile: the review stays published.',
    'done',
  ])
  expect(await mailTo(pro.email)).toEqual(['kept'])

  for (let round = 0; round < 6; round++) {
    const next = await reported()
    const [found] = (await searchReviews(ctx, { status: 'reported', pro: next.pro.id })).reviews
    const reportId = found?.report?.id
    const keep = () => refusalOf(keepReview(ctx, { id: next.id, words: 'It stays.' }))
    const remove = () => refusalOf(takeDownReview(ctx, { id: next.id, reason: 'Untrue.', reportId }))
    const said = await Promise.all(round % 2 === 0 ? [keep(), remove()] : [remove(), keep()])
    const [state] = await sql<{ status: string }[]>`select status from reviews where id = ${next.id}`
    const isKept = state?.status === 'approved'
    expect(said.filter((one) => one === 'done')).toHaveLength(1)
    expect(said.find((one) => one !== 'done')).toContain(isKept ? 'stays published' : 'was taken down')
    expect(await lastOf(next.id)).toMatchObject({ outcome: isKept ? 'kept' : 'taken_down' })
    expect(await mailTo(next.pro.email)).toEqual([isKept ? 'kept' : 'taken_down'])
  }
})
