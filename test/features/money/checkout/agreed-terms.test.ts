// What was agreed stays: a random life of bookings, quotes, payments and edits, and every interface after each step.
import { expect, test } from 'bun:test'

import { cancelUnanswered, lapseHolds } from '../../../../src/features/booking/bookings/verbs/holds.ts'
import { expireQuotes } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { Random } from '../../../../src/local/seed/random.ts'
import { settleRefunds } from '../../../../src/payments/verbs/refunds.ts'
import { LifeOfBookings } from '../../../support/agreed-bookings.ts'
import { LifeContext, type LifePro } from '../../../support/agreed-context.ts'
import { editAnything } from '../../../support/agreed-edits.ts'
import { end, passTime } from '../../../support/agreed-model.ts'
import { LifeOfQuotes } from '../../../support/agreed-quotes.ts'
import { BOOKING_SURFACES } from '../../../support/agreed-surfaces.ts'
import { type BookingFixture, openBookingFixture } from '../../../support/booking-fixture.ts'
import { countersAdrift } from '../../../support/counted.ts'
import { longForm } from '../../../support/long-form.ts'
import { Visitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const STEPS = longForm(800, 10_000)
const SEED = Number(process.env['HEARTH_TEST_SEED'] ?? 15)

/** A life without these proves little. */
const MUST_HAPPEN = [
  'booked by post',
  'booked by create',
  'booked by create with a package',
  'booked by agent',
  'booked by agent with a package',
  'paid: succeeded',
  'paid: refunded',
  'deposit: succeeded',
  'deposit: refunded',
  'edited: price',
  'edited: package',
  'edited: deposit',
  'edited: settings',
  'edited: service',
  'edited: proposal',
  'moved',
  'cancelled',
  'accepted',
  'draft edited',
  'written: sent with a deposit',
]

async function openPro(world: BookingFixture): Promise<LifePro> {
  const pro = await world.pro()
  await world.sql`update professionals set plan = 'business' where id = ${pro.id}`
  return {
    ...pro,
    agentKey: await world.app.key(['mcp:read', 'mcp:write'], pro.email),
    console: new Visitor(world.app),
    offered: {
      serviceId: pro.serviceId,
      serviceName: 'Drain cleaning',
      businessName: '',
      price: { type: 'flat', unit: null, base: 25_000, min: null, max: null },
      minutes: 60,
      slotMinutes: 60,
      package: null,
      depositPercentage: 20,
      requiresApproval: false,
    },
  }
}

async function openLife() {
  const world = await openBookingFixture()
  const key = await world.app.key(['bookings:write', 'packages:read', 'packages:book'])
  const keys = {
    agent: await world.app.key(['mcp:read', 'mcp:write', 'packages:read', 'packages:book']),
    rfqs: await world.app.key(['rfqs:write']),
  }
  const pros = [await openPro(world), await openPro(world), await openPro(world)]
  const ctx = new LifeContext({ world, key }, keys, pros, new Random(SEED, 0, 0))
  return { world, ctx, bookings: new LifeOfBookings(ctx), quotes: new LifeOfQuotes(ctx) }
}

type Life = Awaited<ReturnType<typeof openLife>>

/** Minutes mostly, so that holds end; sometimes hours, so that visits begin and quotes expire. */
const passSomeTime = ({ world, ctx: { random } }: Life) =>
  Promise.resolve(world.clock.advance(random.chance(0.7) ? random.integer(1, 12) : random.integer(60, 2000)))

/** The sweeps record what has happened by the clock. */
async function sweep({ world, ctx, bookings }: Life): Promise<void> {
  const { deps } = world.app
  await lapseHolds(ctxOf(deps), { limit: 1000 })
  await cancelUnanswered(ctxOf(deps), { limit: 1000 })
  await expireQuotes(ctxOf(deps), { limit: 1000 })
  await settleRefunds(ctxOf(deps))
  for (const { it } of bookings.all) {
    passTime(it, ctx.nowMs)
    if (it.status === 'pending' && it.holdEndsMs === null && it.startsMs <= ctx.nowMs)
      end(it, 'hearth', 'not_answered', false)
  }
}

/** One operation, then one booking and sometimes one quote on some interface; what was touched is checked on all. */
async function step(life: Life): Promise<void> {
  const { ctx, bookings, quotes } = life
  const operations: (readonly [() => Promise<unknown>, number])[] = [
    [() => bookings.book(), 10],
    [() => bookings.pay(), 8],
    [() => bookings.cancel(), 3],
    [() => bookings.move(), 4],
    [() => bookings.act(), 6],
    [() => editAnything(ctx), 12],
    [() => quotes.write(), 5],
    [() => quotes.proceed(), 10],
    [() => passSomeTime(life), 5],
    [() => sweep(life), 2],
  ]
  await ctx.random.weighted(operations)()
  if (bookings.all.length > 0) await bookings.check(ctx.random.pick(bookings.all))
  if (quotes.all.length > 0 && ctx.random.chance(0.2)) await quotes.check(ctx.random.pick(quotes.all))
}

test(`after each of ${STEPS} random operations, every interface shows what was agreed`, async () => {
  const life = await openLife()
  const { ctx, bookings, quotes } = life
  try {
    for (let n = 0; n < STEPS; n++) await step(life)
    await sweep(life)
    for (const booking of bookings.all) await bookings.check(booking, Object.keys(BOOKING_SURFACES))
    for (const quote of quotes.all) await quotes.check(quote)
    expect(await countersAdrift(life.world.sql)).toEqual([])
  } finally {
    const counts = Object.entries(ctx.happened).toSorted(([one], [other]) => one.localeCompare(other))
    process.stdout.write(`seed ${SEED}: ${JSON.stringify(Object.fromEntries(counts))}\n`)
    await life.world.close()
  }
  for (const what of MUST_HAPPEN) expect([what, (ctx.happened[what] ?? 0) > 0]).toEqual([what, true])
  expect(bookings.all.length).toBeGreaterThan(STEPS / 20)
  expect(quotes.all.length).toBeGreaterThan(STEPS / 40)
}, 3_600_000)
