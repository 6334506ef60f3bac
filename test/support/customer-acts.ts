// Who may act as the customer: every act of a customer, by every role, with what comes of it. The routes are found, not listed: one
// without a row here fails `abuse-roles.test.ts`.
import { sendQuote } from '../../src/features/quoting/quotes/verbs/quotes.ts'
import { createRfq } from '../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { manageUrl } from '../../src/features/booking/bookings/verbs/manage-link.ts'
import { acceptQuote } from '../../src/features/quoting/quotes/verbs/customer-link.ts'
import { customerUrl } from '../../src/features/quoting/quotes/verbs/link-tokens.ts'
import { listVisitTimes } from '../../src/features/quoting/quotes/verbs/visit.ts'
import { ANONYMOUS } from '../../src/auth/accounts/verbs.ts'
import type { AbuseWorld } from './abuse-world.ts'
import { type CreatedBooking, bookingBody, pay } from './booking-fixture.ts'
import { newRfqInput } from './quotes.ts'
import { somePicture } from './uploads.ts'
import { ctxOf } from '../../src/ctx.ts'

/** The one who calls. Roles of links and cookies have no key and no login. */
export const ROLES = [
  'stranger',
  'pro’s key',
  'pro’s own key that booked',
  'key of the pro’s user',
  'pro’s test key',
  'pro’s session',
  'key that booked',
  'another key',
  'answered link',
  'mailed link',
  'signed in',
  'app of the customer',
] as const
export type Role = (typeof ROLES)[number]

/** What an act is done to: each call gets a new one. */
export interface Subject {
  bookingId: string
  jobId: string
  requestId?: string
  reviewId?: string
  /** The token that fills the path, by how the link was given. */
  answered: string
  mailed: string
}

export type SubjectKind =
  | 'visit'
  | 'proposal'
  | 'over'
  | 'request'
  | 'quote'
  | 'accepted'
  | 'deposit'
  | 'hold'
  | 'job'
  | 'review'

/** How the caller shows that they may: `anyKey` is for acts in the customer's name that the customer confirms by mail. */
type Proof = 'link' | 'key' | 'anyKey' | 'session'

interface Act {
  of: SubjectKind
  by: Proof
  body?: (world: AbuseWorld, subject: Subject) => Promise<object> | object
  /** One who may do the others, but not this. */
  not?: Role
}

let slots = 0

const REVIEW = { rating: '5', content: 'Fine.', name: 'Homeowner in Austin' }
/** Another free hour for each call. */
const move = () => {
  const at = new Date(Date.parse('2027-01-04T00:00:00Z') + slots++ * 3_600_000).toISOString()
  return { date: at.slice(0, 10), time: at.slice(11, 16) }
}
const link = (of: SubjectKind, body?: Act['body']): Act => ({ of, by: 'link', ...(body ? { body } : {}) })
const key = (of: SubjectKind, body?: Act['body']): Act => ({ of, by: 'key', ...(body ? { body } : {}) })
const session = (of: SubjectKind, body?: Act['body']): Act => ({ of, by: 'session', ...(body ? { body } : {}) })

/** By route. */
export const ACTS: Readonly<Record<string, Act>> = {
  'POST /bookings/manage/:token/cancel': link('visit'),
  'POST /bookings/manage/:token/move': link('visit', move),
  'POST /bookings/manage/:token/again': link('visit'),
  'POST /bookings/manage/:token/proposed-time': link('proposal', () => ({ answer: 'agree' })),
  'POST /bookings/manage/:token/review': link('over', () => REVIEW),
  'POST /bookings/manage/:token/review/photos': link('over', async () => ({
    file: new File([await somePicture()], 'photo.jpg'),
  })),
  'POST /reviews/:token': link('review'),
  'POST /quotes/:token/accept': link('quote'),
  'POST /quotes/:token/cancel': link('accepted'),
  'POST /quotes/:token/decline': link('quote'),
  'POST /quotes/:token/time': link('accepted', async ({ app }, { answered }) => {
    const { availability } = await listVisitTimes(ctxOf(app.deps), { days: 14, token: answered })
    const day = availability.find(({ slots }) => slots.some(({ available }) => available))
    return { date: day?.date ?? '', time: day?.slots.find(({ available }) => available)?.start ?? '' }
  }),
  'POST /api/v1/quotes/:token/accept': link('quote'),
  'POST /api/v1/quotes/:token/cancel': link('accepted', () => ({})),
  'POST /api/v1/quotes/:token/decline': link('quote', () => ({})),
  'POST /pay/:clientSecret': link('hold', () => ({ outcome: 'succeeds' })),
  // A customer's app pays with the tools: its token is for the API only.
  'POST /sandbox/payments/:clientSecret': {
    ...link('hold', () => ({ outcome: 'succeeds' })),
    not: 'app of the customer',
  },
  'POST /api/v1/bookings/:id/cancel': key('visit', () => ({})),
  'POST /api/v1/bookings/:id/reschedule': key('visit', move),
  'POST /api/v1/bookings/:id/proposed-time': key('proposal', () => ({ answer: 'agree' })),
  'POST /api/v1/reviews': {
    of: 'over',
    by: 'anyKey',
    body: ({ victim }, { bookingId }) => ({
      professionalId: victim.id,
      bookingId,
      rating: 5,
      content: 'Fine.',
      customer: { name: 'Homeowner in Austin', email: 'home@example.com' },
    }),
  },
  'POST /my/bookings/:id/cancel': session('visit'),
  'POST /my/bookings/:id/move': session('visit', move),
  'POST /my/bookings/:id/again': session('visit'),
  'POST /my/bookings/:id/proposed-time': session('proposal', () => ({ answer: 'agree' })),
  'POST /my/bookings/:id/review': session('over', () => REVIEW),
  'POST /my/bookings/:id/not-mine': session('visit'),
  'POST /my/requests/:id/not-mine': session('request'),
  'POST /my/reviews/:id/not-mine': session('review'),
  'POST /my/jobs/:id/review': session('job', () => REVIEW),
}

/** Who acts, by what the route asks for. All others are refused, and change nothing. */
const BOTH_LINKS: readonly Role[] = [
  'stranger',
  'key that booked',
  'another key',
  'answered link',
  'mailed link',
  'signed in',
  'app of the customer',
]
const MAY: Readonly<Record<Proof, readonly Role[]>> = {
  // The holder of the link is its customer, except those who act for the pro.
  link: BOTH_LINKS,
  key: ['key that booked', 'app of the customer'],
  anyKey: ['key that booked', 'another key', 'app of the customer'],
  session: ['signed in'],
}
export const mayAct = ({ by, not }: Act, role: Role): boolean => role !== not && MAY[by].includes(role)

/** Roles that a link’s route cannot tell: a page takes no keys, and the API no cookies. */
export const isUnseen = (role: Role, isPage: boolean): boolean => (isPage ? /key|app/ : /session|signed in/).test(role)

/** Each booking begins at a full hour of its own. */
const nextHours = () => 100 + slots++ * 2

/** Makes what the act is done to. A booking is made with the key. */
export async function newSubject(world: AbuseWorld, kind: SubjectKind, bookingKey = world.key): Promise<Subject> {
  if (kind === 'request' || kind === 'quote' || kind === 'accepted' || kind === 'deposit' || kind === 'job')
    return await newQuote(world, kind)
  const { app, victim, sql } = world
  const changes = kind === 'hold' ? { customer: { name: 'Homeowner', email: `hold-${slots}@example.com` } } : {}
  const answer = await app.send('/api/v1/bookings', {
    key: bookingKey,
    json: bookingBody(victim, nextHours(), { ...changes }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  const { booking, payment } = (await answer.json()) as CreatedBooking
  const secret = payment?.clientSecret ?? ''
  if (kind === 'hold') return { bookingId: booking.id, jobId: '', answered: secret, mailed: secret }
  await pay(world, secret)
  if (kind === 'proposal') {
    const startDateTime = new Date(Date.parse(booking.scheduledAt) + 3_600_000).toISOString()
    const json = { action: 'propose', startDateTime }
    const proposed = await app.send(`/api/v1/pro/bookings/${booking.id}`, { key: victim.key, json })
    if (proposed.status !== 200) throw new Error(await proposed.text())
  }
  if (kind === 'over' || kind === 'review')
    await sql`
      update bookings set starts_at = starts_at - interval '400 days', ends_at = ends_at - interval '400 days',
        holds = tstzrange(lower(holds) - interval '400 days', upper(holds) - interval '400 days'),
        status = 'completed', completed_at = now()
      where id = ${booking.id}`
  if (kind === 'review') {
    const review = await newReview(world, booking.id)
    return { bookingId: booking.id, jobId: '', reviewId: review.id, answered: review.token, mailed: review.token }
  }
  const url = (isMailed: boolean) => lastOf(manageUrl(ctxOf(app.deps), { isMailed, bookingId: booking.id }))
  return { bookingId: booking.id, jobId: '', answered: url(false), mailed: url(true) }
}

const lastOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

/** A review that an account sent, and the token of its mailed link. */
async function newReview({ app, victim }: AbuseWorld, bookingId: string): Promise<{ id: string; token: string }> {
  const customer = { name: 'Homeowner', email: 'home@example.com' }
  const json = { professionalId: victim.id, bookingId, rating: 5, content: 'Fine.', customer }
  const answer = await app.send('/api/v1/reviews', { key: await app.key(['reviews:write']), json })
  if (answer.status !== 201) throw new Error(await answer.text())
  const { review } = (await answer.json()) as { review: { id: string } }
  return { id: review.id, token: app.deps.encryption.linkToken('review', review.id, { isMailed: true }) }
}

/** The request of another account, and a quote for it. */
async function newQuote(world: AbuseWorld, kind: SubjectKind): Promise<Subject> {
  const { app, victim, sql, integratorId } = world
  const pro = { ...victim, professionalId: victim.id, slug: victim.id }
  const customer = { name: 'Homeowner in Austin', email: 'home@example.com' }
  const { rfq } = await createRfq(ctxOf(app.deps, { accountId: integratorId }), newRfqInput(pro, { customer }))
  if (kind === 'request') return { bookingId: '', jobId: '', requestId: rfq.id, answered: '', mailed: '' }
  const deposit = kind === 'deposit' ? { depositRequired: true, depositPercentage: 25 } : {}
  const terms = { rfqId: rfq.id, amount: 480, estimatedDays: 1, ...deposit }
  const { quote } = await sendQuote(ctxOf(app.deps, pro), terms)
  const until = new Date(quote.validUntil ?? app.deps.clock.now())
  const token = (isMailed: boolean) =>
    lastOf(customerUrl(ctxOf(app.deps), { isMailed, quoteId: quote.id, validUntil: until }))
  const subject = { bookingId: '', jobId: '', requestId: rfq.id, answered: token(false), mailed: token(true) }
  if (kind === 'quote') return subject
  const { quote: accepted, payment } = await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token: subject.answered })
  if (payment) return { ...subject, answered: payment.clientSecret, mailed: payment.clientSecret }
  const jobId = accepted.jobId ?? ''
  if (kind === 'job') await sql`update jobs set status = 'completed', completed_at = now() where id = ${jobId}`
  return { ...subject, jobId }
}
