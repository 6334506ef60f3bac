// Sample data of every kind of message, for the preview in the console and for tests.
import { USER_SAMPLES } from './user-samples.ts'
import type { MessageBooking, MessageData, MessageQuote } from '../kinds.ts'

const ORIGIN = 'https://hearth.example'
const manageUrl = `${ORIGIN}/bookings/manage/m3kT9vQx`
const payUrl = `${ORIGIN}/pay/p7Lw2`
const quoteUrl = `${ORIGIN}/quotes/q8Zr4`
const consoleUrl = `${ORIGIN}/console/bookings/0198a5b2-7c40-7000-8000-2b7e5a1c9d01`

const booking: MessageBooking = {
  id: '0198a5b2-7c40-7000-8000-2b7e5a1c9d01',
  code: 'HTH-7K2M9QX4T0WB',
  sequence: 2,
  updatedAt: '2026-05-28T16:04:00Z',
  status: 'confirmed',
  title: 'Drain cleaning',
  startsAt: '2026-06-02T19:15:00Z',
  endsAt: '2026-06-02T20:45:00Z',
  timeZone: 'America/Chicago',
  notes: 'The kitchen sink drains slowly.\nPlease ring at the side door.',
  pro: { name: 'Lone Star Plumbing', phone: '(512) 555-0142', email: 'office@lonestar.example' },
  customer: { name: 'Maria Gonzalez', email: 'maria@example.com', phone: '(512) 555-0199' },
  address: { street: '1204 Barton Springs Rd', city: 'Austin', state: 'TX', zipCode: '78704' },
  price: {
    type: 'flat',
    basePrice: 150,
    base: 150,
    min: 120,
    max: 180,
    unit: null,
    from: 120,
    total: null,
    currency: 'USD',
  },
  payment: null,
  freeCancellationUntil: '2026-06-01T19:15:00Z',
  cancelledBy: null,
  cancellationReason: null,
  wasConfirmed: true,
}

const payment: NonNullable<MessageBooking['payment']> = {
  status: 'succeeded',
  amount: 55,
  fee: 5,
  deposit: 50,
  currency: 'USD',
  paidAt: '2026-05-28T16:04:00Z',
  refund: null,
  dispute: null,
}

const held: MessageBooking = {
  ...booking,
  status: 'pending',
  sequence: 1,
  wasConfirmed: false,
  payment: { ...payment, status: 'requires_payment', paidAt: null },
}

const moved: MessageBooking = {
  ...booking,
  sequence: 3,
  startsAt: '2026-06-04T14:00:00Z',
  endsAt: '2026-06-04T15:30:00Z',
  payment,
}

const refunded: MessageBooking = {
  ...booking,
  status: 'cancelled',
  sequence: 4,
  cancelledBy: 'pro',
  cancellationReason: 'Our van broke down. We are sorry.',
  payment: { ...payment, status: 'refunded', refund: { amount: 55, currency: 'USD', status: 'done' } },
}

const quote: MessageQuote = {
  id: '0198a5b2-7c40-7000-8000-2b7e5a1c9d02',
  service: 'Bathroom remodel',
  amount: 12_400,
  currency: 'USD',
  depositAmount: 2_480,
  estimatedDays: 9,
  message:
    'Thank you for showing us the bathroom.\nThe tiles are the ones you liked; the price includes removing the old tub.',
  validUntil: '2026-06-26T22:00:00Z',
  timeZone: 'America/Chicago',
  pro: { name: 'Hill Country Builders', phone: '(512) 555-0177' },
  customer: { name: 'Maria Gonzalez' },
  declineReason: null,
}

const TOLD: Omit<MessageData, 'digest'> = {
  'booking-received': { booking: { ...booking, status: 'pending', sequence: 1, wasConfirmed: false }, manageUrl },
  'booking-held': { booking: held, manageUrl, payUrl, payBy: '2026-05-28T16:19:00Z' },
  'booking-confirmed': { booking: { ...booking, payment }, manageUrl },
  'booking-time-proposed': {
    booking: { ...booking, payment },
    manageUrl,
    proposed: {
      startsAt: '2026-06-04T14:00:00Z',
      endsAt: '2026-06-04T15:30:00Z',
      message: 'Our plumber is ill on Tuesday. Thursday morning would work.',
    },
  },
  'booking-moved': { booking: moved, manageUrl, previousStartsAt: booking.startsAt },
  'booking-cancelled': { booking: refunded, manageUrl },
  'booking-refunded': { booking: refunded, manageUrl, refund: { amount: 55, currency: 'USD', note: null } },
  'booking-refund-failed': {
    booking: {
      ...refunded,
      payment: { ...payment, status: 'refunding', refund: { amount: 55, currency: 'USD', status: 'failed' } },
    },
    manageUrl,
    refund: { amount: 55, currency: 'USD', note: null },
  },
  'booking-reminder': { booking: { ...booking, payment }, manageUrl },
  'hold-expiring': { booking: held, manageUrl, payUrl, payBy: '2026-05-28T16:19:00Z' },
  'guest-visit': {
    visit: {
      id: booking.id,
      work: booking.title,
      startsAt: booking.startsAt,
      endsAt: booking.endsAt,
      timeZone: booking.timeZone,
      pro: { name: booking.pro.name, phone: booking.pro.phone, slug: 'lone-star-plumbing' },
    },
    proUrl: `${ORIGIN}/pros/lone-star-plumbing`,
    bookedBy: 'daniel@example.com',
    change: 'confirmed',
    previousStartsAt: null,
  },
  'request-sent': {
    service: 'Bathroom remodel',
    pro: { name: 'Hill Country Builders', phone: '(512) 555-0123' },
    requestUrl: `${ORIGIN}/requests/f4Lw8`,
  },
  'request-ended': {
    pro: 'Hill Country Builders',
    service: 'Bathroom remodel',
    isAgreed: true,
    searchUrl: `${ORIGIN}/`,
  },
  'quote-received': { quote, quoteUrl },
  'quote-expiring': { quote, quoteUrl },
  'quote-refunded': { quote, quoteUrl, refund: { amount: 2_480, currency: 'USD', note: null } },
  'quote-refund-failed': { quote, quoteUrl, refund: { amount: 2_480, currency: 'USD', note: null } },
  'review-invitation': {
    title: 'Drain cleaning',
    pro: 'Lone Star Plumbing',
    customer: 'Maria Gonzalez',
    completedAt: '2026-06-02T20:40:00Z',
    timeZone: 'America/Chicago',
    reviewUrl: `${ORIGIN}/reviews/new/r5Yb1`,
  },
  'review-confirmation': {
    pro: 'Lone Star Plumbing',
    customer: 'Maria Gonzalez',
    rating: 4,
    title: 'Quick',
    content: 'The drain works again, and the price was as agreed.',
    confirmUrl: `${ORIGIN}/reviews/c7Tn2`,
  },
  'review-taken-down': {
    pro: 'Lone Star Plumbing',
    content: 'The drain works again. Call Maria at 512-555-0199 for more.',
    reason: 'It publishes a phone number.',
    url: `${ORIGIN}/pros/lone-star-plumbing`,
  },
  'sign-in': { code: '482 913', url: `${ORIGIN}/my/sign-in?token=s6Hn3`, validMinutes: 10 },
  'new-booking': { booking: { ...booking, status: 'pending', sequence: 1, wasConfirmed: false }, consoleUrl },
  'new-request': {
    request: {
      id: '0198a5b2-7c40-7000-8000-2b7e5a1c9d03',
      service: 'Bathroom remodel',
      description: 'We would like to replace the tub with a walk-in shower.\nThe room is about 60 square feet.',
      budget: '$10,000 to $15,000',
      timeline: 'Within two months',
      preferredDate: '2026-06-15',
      answers: [{ question: 'Is there a window in the room?', answer: 'Yes' }],
      address: { city: 'Austin', state: 'TX', zipCode: '78704' },
      customer: { name: 'Maria Gonzalez', email: 'maria@example.com', phone: '(512) 555-0199' },
    },
    consoleUrl: `${ORIGIN}/console/leads/0198a5b2-7c40-7000-8000-2b7e5a1c9d03`,
  },
  'payment-received': { amount: 55, currency: 'USD', title: 'Drain cleaning', customer: 'Maria Gonzalez', consoleUrl },
  'request-lost': { service: 'Bathroom remodel', customer: 'Maria Gonzalez', consoleUrl },
  'booking-cancelled-for-pro': {
    booking: {
      ...booking,
      status: 'cancelled',
      sequence: 4,
      cancelledBy: 'customer',
      cancellationReason: 'It drains again.',
    },
    consoleUrl,
  },
  'booking-moved-for-pro': { booking: moved, consoleUrl, previousStartsAt: booking.startsAt },
  'quote-accepted': { quote, consoleUrl: `${ORIGIN}/console/leads/0198a5b2-7c40-7000-8000-2b7e5a1c9d03` },
  'job-cancelled-for-pro': {
    quote,
    reason: 'We are moving to another city.',
    consoleUrl: `${ORIGIN}/console/jobs/0198a5b2-7c40-7000-8000-2b7e5a1c9d04`,
  },
  'quote-declined': {
    quote: { ...quote, declineReason: 'We decided to wait until next year.' },
    consoleUrl: `${ORIGIN}/console/leads/0198a5b2-7c40-7000-8000-2b7e5a1c9d03`,
  },
  'new-review': {
    rating: 5,
    title: 'Quick and clean',
    content: 'On time, explained everything, and left the kitchen cleaner than it was.',
    author: 'Maria G.',
    isPending: false,
    consoleUrl: `${ORIGIN}/console/reviews`,
  },
  'tasks-used-up': {
    allowance: 100,
    renewsAt: '2026-07-01T00:00:00Z',
    timeZone: 'America/Chicago',
    consoleUrl: `${ORIGIN}/console/credits`,
  },
  'calendar-conflict': {
    booking,
    consoleUrl,
    calendar: 'Family',
    event: { startsAt: '2026-06-02T19:00:00Z', endsAt: '2026-06-02T20:00:00Z' },
  },
  'calendar-failing': {
    calendar: 'Family',
    lastReadAt: '2026-05-27T14:05:00Z',
    timeZone: 'America/Chicago',
    reason: 'The server answered 404: the address is no longer valid.',
    consoleUrl: `${ORIGIN}/console/calendars`,
  },
  'pro-status': {
    status: 'paused',
    pro: 'Lone Star Plumbing',
    operatorReason: 'The license number is not known in Texas. Please send us the right one.',
    consoleUrl: `${ORIGIN}/console/settings`,
  },
  'review-report-decided': {
    pro: 'Lone Star Plumbing',
    content: 'They never came, and the drain is still clogged.',
    outcome: 'kept',
    answer: 'The booking shows a visit on that day, and opinions about it stay.',
    consoleUrl: `${ORIGIN}/console/my-reviews`,
  },
  'mark-ends': {
    pro: 'Lone Star Plumbing',
    mark: 'Insurance',
    validUntil: '2026-06-30',
    isExpired: false,
    consoleUrl: `${ORIGIN}/console/my-verification`,
  },
  'customer-block': {
    isBlocked: true,
    reason: 'Three visits at which you were not at home.',
    bookingsUrl: `${ORIGIN}/bookings`,
  },
  'pro-moved': {
    pro: 'Lone Star Plumbing',
    from: 'Austin, TX',
    to: 'Denver, CO',
    timeZone: 'America/Denver',
    isOtherZone: true,
    distance: '25 miles',
    visits: 3,
    outside: 2,
    operatorReason: 'You asked us on the phone to move your business.',
    consoleUrl: `${ORIGIN}/console/bookings`,
  },
  'pro-application': {
    status: 'asked',
    business: 'Lone Star Plumbing',
    operatorWords: 'Please send us the number of your plumbing license.',
    isReopened: false,
    joinUrl: `${ORIGIN}/for-pros/join`,
  },
  ...USER_SAMPLES,
}

export const SAMPLES: MessageData = {
  ...TOLD,
  digest: {
    parts: [
      { kind: 'new-request', data: TOLD['new-request'] },
      { kind: 'new-booking', data: TOLD['new-booking'] },
      { kind: 'new-review', data: TOLD['new-review'] },
    ],
  },
}
