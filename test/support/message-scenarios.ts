// What brings each kind of message, as its author does it, and what the message must say to whom.
import type { MessageKind } from '../../src/features/messages/messages/kinds.ts'
import { addCredits, noticeLowBalances, reserveTask, settleTask } from '../../src/features/agents/metering/verbs.ts'
import { askedApplicant } from './applications.ts'
import { type CreatedBooking, pay } from './booking-fixture.ts'
import { askForCode } from './customers.ts'
import { CUSTOMER } from './message-stage.ts'
import {
  type Open,
  blockedCustomer,
  cancelledBooking,
  cancelledQuote,
  conflictedCalendar,
  disabledEndpoint,
  endedRequest,
  endingMark,
  failingCalendar,
  askedAddress,
  givenLogin,
  keptReview,
  lostRequest,
  movedBooking,
  publishedReview,
  setUpSecondFactor,
  movedPro,
  pausedPro,
  takenDown,
} from './message-acts.ts'
import { tokenOf } from './quotes.ts'
import { Visitor, createTestUser, loggedInVisitor } from './visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

const DAY_MINUTES = 24 * 60
/** How customers and pros read the time of `bookingBody`. */
const NINE = 'Monday, November 23, 9:00 AM'
const SERVICE = 'Drain cleaning'
const BUSINESS = 'Clear "Drains" & Co'

/** An event that is about to happen. */
export interface Story {
  /** Makes it happen. */
  act: () => Promise<unknown>
  /** Repeats the request. By default `act`, which sends the same idempotency key. */
  repeat?: () => Promise<unknown>
  /** The minutes after which the message is due. */
  afterMinutes?: number
  to: string
  subject: string[]
  text: string[]
  /** What else the event brings: `kind recipient`. */
  also?: string[]
}

const MOVED = { subject: ['Moved', 'Tuesday, November 24, 10:00 AM', SERVICE], text: [NINE, '10:00 to 11:00 AM'] }

/** By kind. The type demands a scenario of each new kind. Guests have a test of their own: bookings/guests.test.ts. */
export const SCENARIOS: {
  readonly [Kind in Exclude<MessageKind, 'digest' | 'guest-visit'>]: (open: Open) => Promise<Story>
} = {
  'booking-received': async (open) => {
    const stage = await open({ requiresApproval: true })
    const [to, also] = [stage.customer, stage.told('new-booking')]
    return { act: stage.booking(), to, also, subject: ['Waiting', SERVICE, NINE], text: [BUSINESS] }
  },
  'booking-held': async (open) => {
    const stage = await open({ deposit: true })
    return { act: stage.booking(), to: stage.customer, subject: ['Pay by', NINE, SERVICE], text: ['$50.00', BUSINESS] }
  },
  'booking-confirmed': async (open) => {
    const stage = await open()
    const [to, also] = [stage.customer, stage.told('new-booking')]
    return {
      act: stage.booking(),
      to,
      also,
      subject: ['Confirmed', SERVICE, NINE, BUSINESS],
      text: ['9:00 to 10:00 AM'],
    }
  },
  'booking-time-proposed': async (open) => {
    const stage = await open()
    const { booking } = await stage.booking()()
    const json = { action: 'propose', date: '2026-11-25', time: '10:00', message: 'Traffic' }
    const act = stage.request(`/pro/bookings/${booking.id}`, json, 'pro')
    return { act, to: stage.customer, subject: [BUSINESS, 'Wednesday, November 25, 10:00 AM'], text: ['Traffic', NINE] }
  },
  'booking-moved': async (open) => {
    const [stage, act] = await movedBooking(open)
    return { act, to: stage.customer, also: stage.told('booking-moved-for-pro'), ...MOVED }
  },
  'booking-moved-for-pro': async (open) => {
    const [stage, act] = await movedBooking(open)
    return { act, to: stage.pro.email, also: stage.told('booking-moved'), ...MOVED }
  },
  'booking-cancelled': async (open) => {
    const { stage, act } = await cancelledBooking(open)
    const [to, also] = [stage.customer, stage.told('booking-cancelled-for-pro')]
    return { act, to, also, subject: ['Cancelled', SERVICE, NINE, BUSINESS], text: ['does not take place'] }
  },
  'booking-cancelled-for-pro': async (open) => {
    const { stage, act } = await cancelledBooking(open)
    const [to, also] = [stage.pro.email, stage.told('booking-cancelled')]
    return { act, to, also, subject: ['Cancelled', SERVICE, NINE, CUSTOMER.name], text: ['It drains again.'] }
  },
  'booking-refunded': async (open) => {
    const { stage, act } = await cancelledBooking(open, true)
    const also = stage.told('booking-cancelled', 'booking-cancelled-for-pro')
    return { act, to: stage.customer, also, subject: ['$50.00 refunded', SERVICE, NINE], text: ['$50.00 was refunded'] }
  },
  'booking-refund-failed': async (open) => {
    const { stage, act: cancel } = await cancelledBooking(open, true)
    await cancel()
    const facts = {
      subject: ['Your refund of $50.00 is delayed', SERVICE, NINE],
      text: ['sent the money of your refund'],
    }
    return { act: () => stage.returnRefund(), to: stage.customer, also: stage.told('booking-refunded'), ...facts }
  },
  'booking-reminder': async (open) => {
    const stage = await open()
    const also = stage.told('new-booking', 'booking-confirmed')
    const facts = { subject: ['Reminder', SERVICE, NINE], text: ['9:00 to 10:00 AM'] }
    return { act: stage.booking(), afterMinutes: 3 * DAY_MINUTES, to: stage.customer, also, ...facts }
  },
  'hold-expiring': async (open) => {
    const stage = await open({ deposit: true })
    const facts = { subject: ['only held until', SERVICE, NINE], text: ['$50.00'] }
    return { act: stage.booking(), afterMinutes: 9, to: stage.customer, also: stage.told('booking-held'), ...facts }
  },
  'request-sent': async (open) => {
    const stage = await open()
    const facts = { subject: [BUSINESS, 'has your request', SERVICE], text: ['/requests/'] }
    return { act: stage.rfq(), to: stage.customer, also: stage.told('new-request'), ...facts }
  },
  'request-ended': endedRequest,
  'quote-received': async (open) => {
    const stage = await open()
    const { send } = await stage.quote()
    const text = ['We can begin next week.', '/quotes/']
    return { act: send, to: stage.customer, subject: [BUSINESS, '$480.00', SERVICE], text }
  },
  'quote-expiring': async (open) => {
    const stage = await open()
    const { send } = await stage.quote()
    const facts = { subject: ['Ends Saturday, December 19', '$480.00', BUSINESS], text: [SERVICE, '/quotes/'] }
    return {
      act: send,
      afterMinutes: 28 * DAY_MINUTES,
      to: stage.customer,
      also: stage.told('quote-received'),
      ...facts,
    }
  },
  'quote-refunded': async (open) => {
    const { stage, act } = await cancelledQuote(open)
    const facts = { subject: ['$144.00 refunded', SERVICE, BUSINESS], text: ['$144.00 was refunded', '/quotes/'] }
    return { act, to: stage.customer, ...facts }
  },
  'quote-refund-failed': async (open) => {
    const { stage, act: cancel } = await cancelledQuote(open)
    await cancel()
    const facts = { subject: ['Your refund of $144.00 is delayed', SERVICE], text: ['the deposit', '/quotes/'] }
    return { act: () => stage.returnRefund(), to: stage.customer, also: stage.told('quote-refunded'), ...facts }
  },
  'review-invitation': async (open) => {
    const stage = await open()
    const { booking } = await stage.booking()()
    stage.at.clock.set('2026-11-24T00:00:00Z')
    const act = stage.request(`/pro/bookings/${booking.id}`, { action: 'complete' }, 'pro')
    const facts = { subject: [SERVICE, BUSINESS], text: ['Monday, November 23', '/bookings/manage/', '/review'] }
    return { act, afterMinutes: 60, to: stage.customer, ...facts }
  },
  'review-confirmation': async (open) => {
    const stage = await open()
    const facts = { subject: [BUSINESS], text: ['The leak is gone.', '/reviews/'] }
    return { act: stage.review(), to: stage.customer, ...facts }
  },
  'review-taken-down': takenDown,
  'sign-in': async (open) => {
    const { at, customer } = await open()
    const act = () => askForCode(new Visitor(at.app), customer)
    return {
      act,
      repeat: async () => undefined,
      to: customer,
      subject: ['code to sign in'],
      text: ['10 minutes', '/my/sign-in/'],
    }
  },
  'new-booking': async (open) => {
    const stage = await open()
    const [to, also] = [stage.pro.email, stage.told('booking-confirmed')]
    return {
      act: stage.booking(),
      to,
      also,
      subject: ['New booking', SERVICE, NINE, CUSTOMER.name],
      text: [stage.customer],
    }
  },
  'new-request': async (open) => {
    const stage = await open()
    const facts = { subject: [CUSTOMER.name, SERVICE], text: ['The gutter leaks at the corner.', stage.customer] }
    return { act: stage.rfq(), to: stage.pro.email, also: stage.told('request-sent'), ...facts }
  },
  'request-lost': async (open) => {
    const { stage, chosen, act } = await lostRequest(open)
    const also = [`quote-accepted ${chosen.email}`]
    return { act, to: stage.pro.email, also, subject: [CUSTOMER.name, 'another pro'], text: ['/console/leads/'] }
  },
  'payment-received': async (open) => {
    const stage = await open({ deposit: true })
    const { payment } = await stage.booking()()
    const act = () => pay(stage.at, payment?.clientSecret ?? '')
    const [to, also] = [stage.pro.email, stage.told('booking-confirmed', 'new-booking')]
    return { act, to, also, subject: ['$50.00 paid', CUSTOMER.name, SERVICE], text: [SERVICE] }
  },
  'quote-accepted': async (open) => {
    const stage = await open()
    const { send } = await stage.quote({ depositRequired: true, depositPercentage: 30 })
    const accept = stage.request<Pick<CreatedBooking, 'payment'>>(
      `/quotes/${tokenOf(stage.at.app.deps, (await send()).quote.id)}/accept`,
      {},
    )
    const { payment } = await accept()
    const act = () => pay(stage.at, payment?.clientSecret ?? '')
    const [to, also] = [stage.pro.email, stage.told('payment-received')]
    return { act, to, also, subject: ['Accepted', '$480.00', SERVICE, CUSTOMER.name], text: ['$144.00'] }
  },
  'quote-declined': async (open) => {
    const stage = await open()
    const { send } = await stage.quote()
    const act = stage.request(`/quotes/${tokenOf(stage.at.app.deps, (await send()).quote.id)}/decline`, {
      reason: 'We sold the house.',
    })
    return { act, to: stage.pro.email, subject: ['Declined', '$480.00', CUSTOMER.name], text: ['We sold the house.'] }
  },
  'job-cancelled-for-pro': async (open) => {
    const stage = await open()
    const { send } = await stage.quote()
    const token = tokenOf(stage.at.app.deps, (await send()).quote.id)
    await stage.request(`/quotes/${token}/accept`, {})()
    const act = stage.request(`/quotes/${token}/cancel`, { reason: 'We sold the house.' })
    return { act, to: stage.pro.email, subject: ['Cancelled', '$480.00', CUSTOMER.name], text: ['We sold the house.'] }
  },
  'new-review': publishedReview,
  'tasks-used-up': async (open) => {
    const { at, pro } = await open()
    const { deps } = at.app
    const taskId = Bun.randomUUIDv7()
    await addCredits(ctxOf(deps), { professionalId: pro.id, tasks: 1, reference: 'invoice' })
    await reserveTask(ctxOf(deps), { taskId, kind: 'run_agent', professionalId: pro.id })
    await settleTask(ctxOf(deps), { professionalId: pro.id, taskId })
    const act = () => noticeLowBalances(ctxOf(deps), { now: at.clock.now(), limit: 10 })
    return { act, to: pro.email, subject: ['Your agent tasks are used up'], text: ['/console/credits'] }
  },
  'calendar-conflict': conflictedCalendar,
  'calendar-failing': failingCalendar,
  'pro-status': pausedPro,
  'pro-moved': movedPro,
  'review-report-decided': keptReview,
  'mark-ends': endingMark,
  'customer-block': blockedCustomer,
  'pro-application': askedApplicant,
  invitation: async (open) => {
    const { at, pro, customer: email } = await open()
    const operator = await loggedInVisitor(at.app, 'operator')
    const act = () => operator.post('/console/users', { email, role: 'pro', pro: pro.id })
    return { act, to: email, subject: ['invited', BUSINESS], text: ['/console/password/'] }
  },
  'endpoint-disabled': disabledEndpoint,
  'login-changed': givenLogin,
  'address-link': (open) => askedAddress(open, 'address-link'),
  'address-changed': (open) => askedAddress(open, 'address-changed'),
  'second-factor': setUpSecondFactor,
  'password-link': async (open) => {
    const { at } = await open()
    const operator = await loggedInVisitor(at.app, 'operator')
    const email = await createTestUser(at.app, 'operator')
    const [user] = await at.sql<{ id: string }[]>`select id from users where email = ${email}`
    const act = () => operator.post(`/console/users/${user?.id}/link`)
    return {
      act, // Asking again is another event.
      repeat: async () => undefined,
      to: email,
      subject: ['new password'],
      text: ['/console/password/'],
    }
  },
}
