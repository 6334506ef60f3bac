// Random concurrent operations on the seeded marketplace, by seed: on reviews, services, pros, quotes and jobs.
// Verbs where they exist, SQL for changes that an operator makes.
import { ANONYMOUS } from '../../src/auth/accounts/verbs.ts'
import type { Deps } from '../../src/deps.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { progressJob } from '../../src/features/booking/jobs/verbs/progress-job.ts'
import { changeOffer } from '../../src/features/business/offers/verbs.ts'
import { acceptQuote } from '../../src/features/quoting/quotes/verbs/customer-link.ts'
import { sendQuote } from '../../src/features/quoting/quotes/verbs/quotes.ts'
import { createRfq } from '../../src/features/quoting/rfqs/verbs/rfqs.ts'
import {
  approveReview,
  rejectReview,
  respondToReview,
  submitReview,
  voteOnReview,
} from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { changeSchedule } from '../../src/features/calendar/schedule/verbs.ts'
import { Random } from '../../src/local/seed/random.ts'
import type { TestApp } from './app.ts'
import { tokenOf } from './quotes.ts'
import { createAuthor, newReview } from './reviews.ts'
import { ctxOf } from '../../src/ctx.ts'

interface Pro {
  professionalId: string
  accountId: string
}

/** The rows that operations choose from. */
interface World {
  deps: Deps
  random: Random
  pros: readonly Pro[]
  serviceIds: readonly string[]
  cityIds: readonly number[]
  voters: readonly { accountId: string }[]
  pending: string[]
  approved: { id: string; pro: Pro }[]
  jobs: { id: string; pro: Pro }[]
}

type Operation = (world: World, pro: Pro) => Promise<unknown>

const stars = (random: Random) => random.integer(1, 5)

const submit: Operation = async ({ deps, random, voters, pending }, pro) => {
  const scores = random.chance(0.5) ? { quality: stars(random), value: stars(random) } : null
  const input = newReview(pro.professionalId, {
    rating: stars(random),
    scores,
    // With few customers, some review a pro twice and are refused.
    customer: { name: 'Homeowner', email: `customer-${random.integer(1, 400)}@life.test.example` },
  })
  const { review } = await submitReview(ctxOf(deps, { ...random.pick(voters), isProven: true }), input)
  pending.push(review.id)
}

/** Picks a random item and usually removes it. An item that stays is picked again in another state. */
const take = (random: Random, list: string[]): string | undefined => {
  const index = random.integer(0, Math.max(0, list.length - 1))
  return random.chance(0.9) ? list.splice(index, 1)[0] : list[index]
}

const approve: Operation = async ({ deps, random, pros, pending, approved }) => {
  const id = take(random, pending)
  if (!id) return
  const { professional } = await approveReview(ctxOf(deps), { id })
  const pro = pros.find(({ professionalId }) => professionalId === professional.id)
  if (pro) approved.push({ id, pro })
}

const reject: Operation = async ({ deps, random, pending }) => {
  const id = take(random, pending)
  if (id) await rejectReview(ctxOf(deps), { id, reason: 'It names a person.' })
}

const vote: Operation = async ({ deps, random, approved, voters }) => {
  const [voter, helpful] = [random.pick(voters), random.chance(0.7)]
  if (approved.length > 0) await voteOnReview(ctxOf(deps, voter), { reviewId: random.pick(approved).id, helpful })
}

const respond: Operation = async ({ deps, random, approved }) => {
  if (approved.length === 0) return
  const { id, pro } = random.pick(approved)
  await respondToReview(ctxOf(deps, pro), { id, content: 'Thank you.' })
}

const reprice: Operation = async ({ deps, random }, { professionalId }) => {
  const [at, basePrice] = [random.float(), random.integer(20, 900)]
  const offers = await deps.read.run<{ serviceId: string }>(
    'offersOf',
    (sql) => sql`select service_id from professional_services where professional_id = ${professionalId} order by 1`,
  )
  const offer = offers[Math.floor(at * offers.length)]
  if (offer) await changeOffer(ctxOf(deps, { professionalId }), { serviceId: offer.serviceId, basePrice })
}

const addOffer: Operation = async ({ deps, random, serviceIds }, { professionalId }) => {
  const [serviceId, cents] = [random.pick(serviceIds), random.integer(2000, 90_000)]
  await deps.write.run(
    'addOffer',
    (sql) => sql`
      insert into professional_services (professional_id, service_id, price_type, unit, base_price_cents)
      select ${professionalId}, id, price_type, unit, ${cents} from services where id = ${serviceId}
      on conflict do nothing`,
  )
}

const dropOffer: Operation = ({ deps, random }, { professionalId }) => {
  const skip = random.integer(0, 4)
  return deps.write.run(
    'dropOffer',
    (sql) => sql`
      delete from professional_services where professional_id = ${professionalId} and service_id = (
        select service_id from professional_services where professional_id = ${professionalId}
        order by service_id offset ${skip} limit 1)`,
  )
}

const pauseOrResume: Operation = ({ deps }, { professionalId }) =>
  deps.write.run(
    'pauseOrResume',
    (sql) => sql`
      update professionals set active = not active, status = case when active then 'paused' else 'active' end
      where id = ${professionalId}`,
  )

const flipMark: Operation = ({ deps }, { professionalId }) =>
  deps.write.run(
    'flipMark',
    (sql) => sql`update professionals set verified = not verified where id = ${professionalId}`,
  )

const move: Operation = ({ deps, random, cityIds }, { professionalId }) => {
  const cityId = random.pick(cityIds)
  return deps.write.run(
    'move',
    (sql) => sql`
      update professionals p set city_id = c.id, latitude = c.latitude, longitude = c.longitude, time_zone = c.time_zone
      from cities c where c.id = ${cityId} and p.id = ${professionalId}`,
  )
}

const switchInstant: Operation = ({ deps, random }, pro) =>
  changeSchedule(ctxOf(deps, pro), { instantBookingEnabled: random.chance(0.5) })

const quote: Operation = async (world, pro) => {
  const { deps, random, serviceIds } = world
  const [amount, isAccepted, serviceId] = [random.integer(50, 4000), random.chance(0.7), random.pick(serviceIds)]
  const offers = await deps.read.run<{ serviceId: string }>(
    'anOffer',
    (sql) => sql`
      select service_id from professional_services where professional_id = ${pro.professionalId}
      order by service_id = ${serviceId} desc, service_id limit 1`,
  )
  const customer = { name: 'Homeowner', email: 'asks@life.test.example' }
  const input = { professionalId: pro.professionalId, customer, description: 'The gutter leaks.' }
  const { rfq } = await createRfq(ctxOf(deps, pro), { ...input, serviceId: offers[0]?.serviceId ?? null })
  const { quote: sent } = await sendQuote(ctxOf(deps, pro), { rfqId: rfq.id, amount })
  if (!isAccepted) return
  await acceptQuote(ctxOf(deps, ANONYMOUS), { token: tokenOf(deps, sent.id) })
  const [job] = await deps.write.run<{ id: string }>(
    'jobOf',
    (sql) => sql`select id from jobs where quote_id = ${sent.id}`,
  )
  if (job) world.jobs.push({ id: job.id, pro })
}

const finishJob: Operation = async ({ deps, random, jobs }) => {
  const [job] = jobs.splice(random.integer(0, Math.max(0, jobs.length - 1)), 1)
  const [isDone, costsMore, finalAmount] = [random.chance(0.8), random.chance(0.3), random.integer(50, 5000)]
  if (!job) return
  const change = isDone
    ? { action: 'complete' as const, ...(costsMore ? { finalAmount } : {}) }
    : { action: 'cancel' as const }
  await progressJob(ctxOf(deps, job.pro), { id: job.id, progress: change })
}

/** The operations with their weights of a hundred. */
const OPERATIONS: readonly (readonly [Operation, number])[] = [
  [submit, 26],
  [approve, 16],
  [reject, 5],
  [vote, 9],
  [respond, 3],
  [reprice, 8],
  [addOffer, 6],
  [dropOffer, 5],
  [pauseOrResume, 4],
  [flipMark, 4],
  [move, 4],
  [switchInstant, 2],
  [quote, 5],
  [finishJob, 3],
]

/** Expected errors: another operation was faster, or the customer reviews again. */
const REFUSALS = new Set([
  'invalid_transition',
  'duplicate_review',
  'review_not_found',
  'professional_not_found',
  'service_not_found',
])

/** Runs `count` operations, `lanes` at a time. Returns the number done, and the number refused by error code. */
export async function runRandomOperations(
  app: TestApp,
  { seed, count, lanes }: { seed: number; count: number; lanes: number },
): Promise<{ done: number; refused: Record<string, number> }> {
  const world = await readWorld(app, new Random(seed, 1, 0))
  let [started, done] = [0, 0]
  const refused: Record<string, number> = {}
  const lane = async (): Promise<void> => {
    while (started++ < count) {
      const operation = world.random.weighted(OPERATIONS)
      try {
        await operation(world, world.random.pick(world.pros))
        done++
      } catch (error) {
        if (!(error instanceof AppError) || !REFUSALS.has(error.code)) throw error
        refused[error.code] = (refused[error.code] ?? 0) + 1
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { done, refused }
}

async function readWorld(app: TestApp, random: Random): Promise<World> {
  const { read } = app.deps
  // Only three hundred pros, so that each gets many operations.
  const pros = await read.run<Pro>(
    'prosOfLife',
    (sql) => sql`select id as professional_id, account_id from professionals order by id limit 300`,
  )
  const services = await read.run<{ id: string }>(
    'services',
    (sql) => sql`select id from services order by ordinal limit 30`,
  )
  const cities = await read.run<{ id: number }>(
    'cities',
    (sql) => sql`select id from cities order by population desc, id limit 40`,
  )
  const voters = []
  for (let n = 0; n < 20; n++) voters.push(await createAuthor(app, `voter-${n}@life.test.example`))
  return {
    deps: app.deps,
    random,
    pros,
    serviceIds: services.map(({ id }) => id),
    cityIds: cities.map(({ id }) => id),
    voters,
    pending: [],
    approved: [],
    jobs: [],
  }
}
