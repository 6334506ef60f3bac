// The visit of an accepted quote: one at a time, at a time that is open, ending with its job.
import { expect, test } from 'bun:test'

import { ANONYMOUS, siteAccountOf } from '../../../../src/auth/accounts/verbs.ts'
import type { Deps } from '../../../../src/deps.ts'
import { getBookingById } from '../../../../src/features/booking/bookings/verbs/find-booking.ts'
import { progressJob } from '../../../../src/features/booking/jobs/verbs/progress-job.ts'
import { acceptQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { bookVisit, findNextStep, listVisitTimes } from '../../../../src/features/quoting/quotes/verbs/visit.ts'
import { sendQuote } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { createRfq } from '../../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { addDays } from '../../../../src/platform/clock/dates.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { eventsOf, newRfqInput, quotingPro, sentQuote, tokenOf } from '../../../support/quotes.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp('seeded'))
const pro = await quotingPro(app)
// Quoted work needs no instant booking.
await app.sql`update professionals set instant_booking_enabled = false where id = ${pro.professionalId}`

async function acceptedQuote(): Promise<{ quoteId: string; token: string }> {
  const quote = await sentQuote(app.deps, pro)
  await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token: quote.token })
  return quote
}

const customer = async () => ({ site: await siteAccountOf(app.deps)(), actor: ANONYMOUS })

/** The open times for a visit on a coming day. */
async function openTimes(deps: Deps, token: string) {
  const { availability } = await listVisitTimes(ctxOf(deps), { date: '2026-06-08', days: 5, token })
  return availability.flatMap(({ date, slots }) =>
    slots.filter(({ available }) => available).map(({ start }) => ({ date, time: start })),
  )
}

const stepOf = async (quoteId: string) => (await findNextStep(ctxOf(app.deps), { quoteId }))?.step

test('a visit is a confirmed booking of what was quoted, and there is one at a time', async () => {
  const { quoteId, token } = await acceptedQuote()
  expect(await stepOf(quoteId)).toBe('choose')
  const [first, second] = await openTimes(app.deps, token)
  if (!first || !second) throw new Error('The pro has no open times.')
  const ids = await Promise.all(
    [first, first, second].map(
      async (time) => await bookVisit(ctxOf(app.deps), { ...(await customer()), ...time, token }),
    ),
  )
  expect(new Set(ids).size).toBe(1)
  const [id = ''] = ids
  const booking = await getBookingById(ctxOf(app.deps, { accountId: null, professionalId: pro.professionalId }), { id })
  expect(booking).toMatchObject({ status: 'confirmed', price: { type: 'flat', basePrice: 480 }, payment: null })
  expect((await eventsOf(app.deps, id)).map(({ type }) => type)).toEqual(['booking.created', 'booking.confirmed'])
  expect(await stepOf(quoteId)).toBe('booked')

  const other = await acceptedQuote()
  const taken = { date: booking.scheduledDate, time: booking.scheduledTime }
  expect(await openTimes(app.deps, other.token)).not.toContainEqual(taken)
  expect(bookVisit(ctxOf(app.deps), { ...(await customer()), ...taken, token: other.token })).rejects.toMatchObject({
    code: 'slot_unavailable',
  })
})

test('a visit ends with its job', async () => {
  const { quoteId, token } = await acceptedQuote()
  const [time] = await openTimes(app.deps, token)
  const id = await bookVisit(ctxOf(app.deps), { ...(await customer()), ...(time ?? { date: '', time: '' }), token })
  const [job] = await app.sql<{ id: string }[]>`select id from jobs where quote_id = ${quoteId}`
  await progressJob(ctxOf(app.deps, pro), {
    id: job?.id ?? '',
    progress: { action: 'cancel', reason: 'The van broke down.' },
  })
  const booking = await getBookingById(ctxOf(app.deps, { accountId: null, professionalId: pro.professionalId }), { id })
  expect(booking).toMatchObject({
    status: 'cancelled',
    cancelledBy: 'pro',
    cancellationReason: 'The van broke down.',
  })
  expect(await stepOf(quoteId)).toBe('cancelled')
  expect(
    bookVisit(ctxOf(app.deps), { ...(await customer()), ...(time ?? { date: '', time: '' }), token }),
  ).rejects.toMatchObject({
    code: 'invalid_transition',
  })
})

test('a time is chosen only for an accepted quote of a listed service', async () => {
  const open = await sentQuote(app.deps, pro)
  expect(await stepOf(open.quoteId)).toBeUndefined()
  expect(listVisitTimes(ctxOf(app.deps), { token: open.token })).rejects.toMatchObject({ code: 'invalid_transition' })
  const { rfq } = await createRfq(ctxOf(app.deps, pro), newRfqInput(pro, { serviceId: null }))
  const { quote } = await sendQuote(ctxOf(app.deps, pro), { rfqId: rfq.id, amount: 90 })
  await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token: tokenOf(app.deps, quote.id) })
  expect(await stepOf(quote.id)).toBe('by_phone')
})

test('a visit is booked within the business hours only, outside of blocks, and within a year', async () => {
  const { token } = await acceptedQuote()
  const [open] = await openTimes(app.deps, token)
  if (!open) throw new Error('The pro has no open times.')
  const refusal = async (time: { date: string; time: string }) =>
    await bookVisit(ctxOf(app.deps), { ...(await customer()), ...time, token }).catch(
      ({ code }: { code: string }) => code,
    )
  expect(await refusal({ ...open, time: '03:00' })).toBe('slot_unavailable')
  const inAYear = addDays(open.date, 371)
  expect(await refusal({ ...open, date: inAYear })).toBe('validation_failed')
  const [{ id } = { id: '' }] = await app.sql<{ id: string }[]>`
    insert into availability_blocks (id, professional_id, starts_at, ends_at, created_at)
    select gen_random_uuid(), p.id, start, start + interval '1 hour', now()
    from professionals p, lateral (select (${`${open.date} ${open.time}`}::timestamp at time zone p.time_zone) as start) s
    where p.id = ${pro.professionalId} returning id`
  expect(await refusal(open)).toBe('slot_unavailable')
  await app.sql`delete from availability_blocks where id = ${id}`
  expect(await refusal(open)).toMatch(/^[\da-f-]{36}$/)
})
