// What several messages begin with.
import { PASSWORD, createTestUser, loggedInVisitor, visitorFromNewAddress } from './visitor.ts'
import { closePro } from '../../src/features/business/closing/verbs/close.ts'
import { continueClosing } from '../../src/features/business/closing/verbs/end.ts'
import { planMove } from '../../src/features/business/moves/verbs.ts'
import { endDueMarks, setMarks } from '../../src/features/business/verification/verbs.ts'
import { disableFailingEndpoint } from '../../src/webhooks/delivery/disabling.ts'
import { ctxOf } from '../../src/ctx.ts'
import { sendQuote } from '../../src/features/quoting/quotes/verbs/quotes.ts'
import { keepReview, reportReview } from '../../src/features/reviews/reviews/verbs/reports.ts'
import { approveReview, submitReview, takeDownReview } from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { createRfq } from '../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { icsOf } from './calendar-host.ts'
import { type CreatedBooking, pay } from './booking-fixture.ts'
import { CUSTOMER, type MessageStage, type StageSettings } from './message-stage.ts'
import { tokenOf } from './quotes.ts'
import { setUpFactor } from './second-factor.ts'

/** Opens the stage of the scenario. */
export type Open = (settings?: StageSettings) => Promise<MessageStage>

/** A booking, and the act that moves it. */
export async function movedBooking(open: Open): Promise<[MessageStage, () => Promise<unknown>]> {
  const stage = await open()
  const { booking } = await stage.booking()()
  return [stage, stage.ofBooking(booking.id, 'reschedule', { date: '2026-11-24', time: '10:00' })]
}

/** A booking, and the act that cancels it. */
export async function cancelledBooking(open: Open, deposit = false) {
  const stage = await open({ deposit })
  const { booking } = deposit ? await stage.paidBooking() : await stage.booking()()
  return { stage, act: stage.ofBooking(booking.id, 'cancel', { reason: 'It drains again.' }) }
}

/**
 * A request to the stage's pro and one more, who sends a quote, and its acceptance. Like all of a stage, the acceptance may be repeated.
 */
export async function lostRequest(open: Open) {
  const stage = await open()
  const { at, pro } = stage
  const chosen = await at.pro({ deposit: false })
  const { rfq } = await createRfq(ctxOf(at.app.deps, chosen), {
    professionalId: chosen.id,
    serviceId: null,
    customer: { ...CUSTOMER, email: stage.customer },
    description: 'The gutter leaks at the corner.',
    others: [pro.id],
  })
  const sender = { accountId: chosen.accountId, professionalId: chosen.id }
  const { quote } = await sendQuote(ctxOf(at.app.deps, sender), { rfqId: rfq.id, amount: 480 })
  return { stage, chosen, act: stage.request(`/quotes/${tokenOf(at.app.deps, quote.id)}/accept`, {}) }
}

/** A quote whose deposit is paid, and the pro's cancellation of its job. */
export async function cancelledQuote(open: Open) {
  const stage = await open()
  const { send } = await stage.quote({ depositRequired: true, depositPercentage: 30 })
  const accept = stage.request<Pick<CreatedBooking, 'payment'>>(
    `/quotes/${tokenOf(stage.at.app.deps, (await send()).quote.id)}/accept`,
    {},
  )
  await pay(stage.at, (await accept()).payment?.clientSecret ?? '')
  const [job] = await stage.at.sql<{ id: string }[]>`select id from jobs where professional_id = ${stage.pro.id}`
  return { stage, act: stage.request(`/pro/jobs/${job?.id}`, { action: 'cancel' }, 'pro') }
}

/** The pro of an open request has closed the account. */
export async function endedRequest(open: Open) {
  const stage = await open()
  await stage.rfq()()
  const ctx = ctxOf(stage.at.app.deps)
  await closePro(ctx, { professionalId: stage.pro.id, by: null, operatorReason: 'The pro called.' })
  const subject = ['has closed', 'Drain cleaning']
  return { act: () => continueClosing(ctx), to: stage.customer, subject, text: ['Find another pro'] }
}

/** A published review by the owner of its address, and its taking down, which happens once. */
export async function takenDown(open: Open) {
  const { at, pro, customer } = await open()
  const ctx = ctxOf(at.app.deps)
  const author = ctxOf(at.app.deps, { accountId: (await at.pro({ deposit: false })).accountId, isProven: true })
  const { review } = await submitReview(author, {
    professionalId: pro.id,
    rating: 4,
    content: 'The leak is gone.',
    customer: { ...CUSTOMER, email: customer },
  })
  await approveReview(ctx, { id: review.id })
  return {
    act: () => takeDownReview(ctx, { id: review.id, reason: 'It names a neighbour.' }),
    repeat: async () => undefined,
    to: customer,
    subject: ['taken down'],
    text: ['It names a neighbour.', 'The leak is gone.'],
  }
}

/** A review, and the operator who publishes it. */
export async function publishedReview(open: Open) {
  const stage = await open()
  const { at, pro } = stage
  const { review } = await stage.review()()
  const operator = await loggedInVisitor(at.app, 'operator')
  return {
    act: () => operator.post(`/console/reviews/${review.id}/approve`),
    to: pro.email,
    subject: ['4 stars', 'Dana P'],
    text: ['The leak is gone.', 'It is on your profile now'],
  }
}

/** A published review that its pro has reported, and the operator's answer that keeps it, which is given once. */
export async function keptReview(open: Open) {
  const stage = await open()
  const { at, pro } = stage
  const ctx = ctxOf(at.app.deps)
  const { review } = await stage.review()()
  await approveReview(ctx, { id: review.id })
  const { id: professionalId, email: to } = pro
  const report = { reason: 'untrue', words: 'We were never there.', by: null } as const
  await reportReview(ctx.as({ professionalId }), { id: review.id, ...report })
  return {
    act: () => keepReview(ctx, { id: review.id, words: 'The booking shows a visit.' }),
    repeat: async () => undefined,
    to,
    subject: ['The review you reported stays'],
    text: ['The booking shows a visit.', 'The leak is gone.', '/console/my-reviews'],
  }
}

/** What a calendar says overlaps a booking. */
export async function conflictedCalendar(open: Open) {
  const stage = await open()
  await stage.booking()()
  await stage.calendar(() => new Response(icsOf({ from: '2026-11-23T15:30:00Z', to: '2026-11-23T17:00:00Z' })))
  const subject = ['Conflict', 'Drain cleaning', 'Monday, November 23, 9:00 AM', CUSTOMER.name]
  return { act: () => stage.readCalendars(), to: stage.pro.email, subject, text: ['“Family”', '9:30 to 11:00 AM'] }
}

/** A calendar that cannot be read for a day. */
export async function failingCalendar(open: Open) {
  const stage = await open()
  await stage.calendar(() => new Response('Gone', { status: 410 }))
  for (let hours = 0; hours < 24; hours += 8) await stage.readCalendars(8 * 60)
  const act = () => stage.readCalendars(8 * 60)
  return { act, to: stage.pro.email, subject: ['“Family” cannot be read'], text: ['Last read: Never', '410'] }
}

/** A mark of the stage's pro that ends in ten days, and the pass that warns of it. */
export async function endingMark(open: Open) {
  const { at, pro } = await open()
  const ctx = ctxOf(at.app.deps)
  const marks = { verified: false, backgroundCheck: false, insurance: true, credentials: false }
  const evidence = [{ mark: 'insurance', evidence: 'Policy 4711', validUntil: '2026-11-30' }] as const
  await setMarks(ctx, { professionalId: pro.id, marks, evidence, reason: 'Seen.', by: null })
  const act = () => endDueMarks(ctx, { limit: 10 })
  return {
    act,
    to: pro.email,
    subject: ['“Insurance” is shown until'],
    text: ['November 30, 2026', '/console/my-verification'],
  }
}

/** A user sets up the second factor of their log-in. */
export async function setUpSecondFactor(open: Open) {
  const { at } = await open()
  const visitor = visitorFromNewAddress(at.app)
  const email = await createTestUser(at.app, 'operator')
  await visitor.logIn(email)
  const act = () => setUpFactor(visitor, at.clock.now())
  return {
    act, // It is set up once.
    repeat: async () => undefined,
    to: email,
    subject: ['second factor'],
    text: ['/console/account/second-factor', 'logged out on all other devices'],
  }
}

/** A member of the pro's team who gets a log-in. */
export async function givenLogin(open: Open) {
  const { at, pro } = await open()
  const owner = await loggedInVisitor(at.app, 'pro', { pro: pro.id })
  const email = `crew-${crypto.randomUUID()}@example.com`
  await owner.post('/console/team', { name: 'Crew 1', email, role: 'crew' })
  const [member] = await at.sql<{ id: string }[]>`select id from members where email = ${email}`
  return {
    act: () => owner.post(`/console/team/${member?.id}/login`, { email, proRole: 'worker' }),
    to: pro.email,
    also: [`invitation ${email}`],
    subject: ['Crew 1', email, 'can log in'],
    text: ['A worker sees', '/console/team'],
  }
}

/** A person who asks for another address to log in with. */
export async function askedAddress(open: Open, kind: 'address-link' | 'address-changed') {
  const { at, pro } = await open()
  const from = await createTestUser(at.app, 'pro', { pro: pro.id })
  const to = `new-${crypto.randomUUID()}@example.com`
  const visitor = visitorFromNewAddress(at.app)
  await visitor.logIn(from)
  const isLink = kind === 'address-link'
  return {
    act: () => visitor.post('/console/account/email', { email: to, current: PASSWORD }),
    // Asking again is another event.
    repeat: async () => undefined,
    to: isLink ? to : from,
    also: [isLink ? `address-changed ${from}` : `address-link ${to}`],
    subject: [isLink ? 'Confirm your new' : 'another address'],
    text: isLink ? ['/console/email/'] : [to, 'nothing changes'],
  }
}

/** An endpoint that answers no more. */

/** An operator blocks the customer of a booking. */
export async function blockedCustomer(open: Open) {
  const stage = await open()
  const { booking } = await stage.booking()()
  const operator = await loggedInVisitor(stage.at.app, 'operator')
  const path = `/console/customers/${booking.id}`
  const act = () => operator.post(path, { action: 'block', reason: 'Never at home.' })
  return {
    act,
    to: stage.customer,
    subject: ['You can no longer book'],
    text: ['Never at home.', 'Visits that are booked'],
  }
}

/** An endpoint of the stage's pro that is gone. */
export async function disabledEndpoint(open: Open) {
  const { at, pro } = await open()
  const json = { name: 'Shop', url: 'https://shop.example/hooks', events: ['booking.created'] }
  const key = await at.app.key(['webhooks:manage'], pro.email)
  const { id } = (await (await at.app.send('/api/v1/webhooks', { key, json })).json()) as { id: string }
  const act = () => disableFailingEndpoint(ctxOf(at.app.deps), { id, reason: 'gone' })
  return { act, to: pro.email, subject: ['switched off'], text: ['410 Gone', `/console/webhooks/${id}`] }
}

/** A pro whom an operator pauses. */
export async function pausedPro(open: Open) {
  const { at, pro } = await open()
  const operator = await loggedInVisitor(at.app, 'operator')
  const path = `/console/verification/${pro.id}/status`
  const act = () => operator.post(path, { action: 'pause', reason: 'The license expired.' })
  return {
    act,
    to: pro.email,
    subject: ['Clear "Drains" & Co', 'is paused'],
    text: ['The license expired.', '/console/settings'],
  }
}

/** A pro whom an operator moves to another city. */
export async function movedPro(open: Open) {
  const { at, pro } = await open()
  await at.sql`
    insert into cities values (2, 'Denver', 'TX', 31.5, -102.4, 'America/Denver', 700000) on conflict do nothing`
  const move = { professionalId: pro.id, place: 'Denver, TX', isPlaceHidden: false, radiusMiles: 30 }
  const { version: seen } = await planMove(ctxOf(at.app.deps), move)
  const operator = await loggedInVisitor(at.app, 'operator')
  const typed = { place: move.place, radius: '30', reason: 'The pro called.', seen }
  const act = () => operator.post(`/console/verification/${pro.id}/move`, typed)
  return {
    act,
    to: pro.email,
    subject: ['is in Denver, TX now'],
    text: ['The pro called.', '30 miles', '/console/bookings'],
  }
}
