// One truth on every interface: random offers and bookings, and price, sums, zone and terms as each interface says them.
import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { MessageSender } from '../../../../src/features/messages/messages/verbs/send-messages.ts'
import { listWaitingPartitions, relayBatch } from '../../../../src/features/upkeep/outbox/verbs.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import type { Price } from '../../../../src/platform/schema/price.ts'
import { planSubscribed } from '../../../../workers/actors/relay-outbox.ts'
import { type Situation, arrange, listOffers, situation } from '../../../support/bookable-situations.ts'
import { SURFACE_SCOPES, pagePath } from '../../../support/booking-surfaces.ts'
import { useConsole } from '../../../support/console.ts'
import { opened } from '../../../support/fixture.ts'
import { longForm } from '../../../support/long-form.ts'
import {
  type Era,
  bookBy,
  bookingsShown,
  callInEra,
  listTimes,
  openSlots,
  pricesOfOffer,
} from '../../../support/said-surfaces.ts'
import { openSmtpReceiver } from '../../../support/smtp-receiver.ts'
import { visitorFromNewAddress } from '../../../support/visitor.ts'
import { openWidgetSite } from '../../../support/widget-site.ts'

const RUNS = longForm(25, 200)
const FEE = 5
const smtp = await opened(openSmtpReceiver(), 'stop')
const world = await useConsole({
  env: {
    INSTANT_BOOKING_FEE_CENTS: String(FEE * 100),
    MAIL_URL: smtp.url,
    MAIL_FROM: 'Hearth <hello@hearth.example>',
  },
})
const { app } = world
const widget = await opened(openWidgetSite(world), 'stop')
const keys = {
  server: await app.key([...SURFACE_SCOPES.server, 'packages:read', 'pros:read']),
  agent: await app.key(SURFACE_SCOPES.agent, 'agent@test.example'),
}
const sender = new MessageSender(app.deps)
const offers = await listOffers(app.sql)

/** How often each was compared. */
const seen = {
  prices: 0,
  ranges: 0,
  unpriced: 0,
  packages: 0,
  booked: 0,
  free: 0,
  early: 0,
  late: 0,
  mails: 0,
  widgets: 0,
}

const dollars = (amount: number) =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 })}`

/** The sentence of a price, written down here once more. */
function sentenceOf([base, min, max]: readonly (number | null)[], unit: string | null): string {
  const [lowest, highest] = [min ?? base ?? null, max ?? null]
  if (lowest === null) return 'Price agreed with the pro'
  const per = ` per ${unit ?? 'visit'}`
  return highest !== null && highest > lowest
    ? `${dollars(lowest)} to ${dollars(highest)}${per}`
    : `${dollars(lowest)}${per}`
}

/** The sentence of cancelling one time. */
const cancelling = (due: number, until: string | null | undefined) =>
  due === 0
    ? 'You can cancel free of charge at any time before the start.'
    : until
      ? `If you cancel by ${until}, you get all of the ${dollars(due)} back. After that, you get nothing back.`
      : `It is too late to cancel this time free of charge: if you cancel, you do not get the ${dollars(due)} back.`

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

const pageText = async (path: string) => textOf((await visitorFromNewAddress(app).get(path)).text)

/** Relays and sends all messages. Returns what the address received. */
async function mailTo(email: string): Promise<string> {
  for (let partitions = await listWaitingPartitions(ctxOf(app.deps)); partitions.length > 0;) {
    for (const partition of partitions) await relayBatch(ctxOf(app.deps), { partition, plan: planSubscribed })
    partitions = await listWaitingPartitions(ctxOf(app.deps))
  }
  const isSent = await waitUntil(async () => (await sender.run()) !== true && sender.inProgress === 0, 20_000)
  expect(isSent).toBe(true)
  return smtp.received
    .filter(({ to }) => to === email)
    .map(({ mail }) => mail.text ?? '')
    .join('\n')
    .replaceAll(/\s+/g, ' ')
}

const packages = offers.filter(({ packageId }) => packageId !== null)
const services = offers.filter(({ packageId }) => packageId === null)
let runs = 0

/**
 * Each fifth run has no price, a time so near that cancelling it costs something, a later one, a range, and a package.
 * Every five runs the next way of booking is used: only the first has no fee, so that something is free.
 */
function nextRun({ offer: index, settings, seed }: Situation) {
  const part = runs % 5
  const way = Math.floor(runs++ / 5)
  const bookable = { ...settings, isProInstant: true, isOfferInstant: true }
  const soon: Situation['settings'] = { ...bookable, leadTimeHours: 0, businessHours: null, minutes: 60, grid: 60 }
  const flat: Pick<Situation['settings'], 'price' | 'depositPercentage'> = {
    price: [9_999, null, null],
    depositPercentage: 10,
  }
  const choices: Situation['settings'][] = [
    { ...soon, price: [null, null, null], depositPercentage: null },
    { ...soon, ...flat },
    { ...soon, ...flat },
    { ...bookable, price: [12_500, 10_000, 15_000] },
    bookable,
  ]
  const given = choices[part]
  const from = part === 4 ? packages : services
  const offer = from[index % from.length]
  if (!offer || !given) throw new Error('The seed has no offers.')
  return { offer, given, way, choose: (count: number) => [0, 0, count - 1][part] ?? seed % Math.max(1, count) }
}

async function check(it: Situation): Promise<void> {
  const { offer, given, way, choose } = nextRun(it)
  await arrange(app.sql, offer, given)
  const [row] = await app.sql<{ unit: string | null; isFlat: boolean; packageCents: number | null }[]>`
    select o.unit, o.price_type = 'flat' as is_flat, (select price_cents from packages where id = ${offer.packageId}) as package_cents
    from professional_services o where o.professional_id = ${offer.professionalId} and o.service_id = ${offer.serviceId}`
  if (!row) throw new Error('The offer is gone.')
  const isPackage = row.packageCents !== null
  const amounts = (isPackage ? [row.packageCents, null, null] : given.price).map((cents) =>
    cents === null ? null : cents / 100,
  )
  const [base = null, min = null, max = null] = amounts
  const sentence = sentenceOf(amounts, isPackage ? null : row.unit)
  const fixed = base !== null && min === null && max === null && (isPackage || row.isFlat) ? base : null
  const priced = { base, basePrice: base, min, max, unit: isPackage ? null : row.unit, from: min ?? base }
  const totalWith = (fee: number) => (fixed === null ? null : Math.round((fixed + fee) * 100) / 100)

  // The price of the offer in the API.
  const shown = await pricesOfOffer(app, keys.server, offer)
  for (const [where, price] of Object.entries(shown))
    expect<object>({ where, ...price }).toMatchObject({ where, ...priced, total: totalWith(isPackage ? FEE : 0) })
  seen.prices += Object.keys(shown).length
  if (max !== null) seen.ranges++
  if (base === null && min === null) seen.unpriced++
  if (isPackage) seen.packages++

  // The offer on pages.
  const profile = await pageText(`/pros/${offer.slug}`)
  if (!isPackage) expect(profile).toContain(sentence)
  const listed = await listTimes(app, keys.server, offer, 14)
  const { service, timeZoneName } = listed
  const open = openSlots(listed)
  const slot = open[choose(open.length)]
  if (!service?.bookable || !slot) return
  const choice = { ...offer, packageId: offer.packageId ?? undefined, minutes: given.minutes }
  const hour = Number(slot.start.slice(0, 2))
  const minute = slot.start.slice(3)
  const day = new Date(slot.date).toLocaleDateString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })
  const when = `${day}, ${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'} ${timeZoneName}`
  const page = await pageText(pagePath(choice, slot))
  for (const text of [sentence, when, cancelling(service.dueNow ?? 0, slot.freeCancellationLocal)])
    expect(page).toContain(text)

  // The widget shows services, and opens with the first of their times.
  const first = open[0]
  if (!isPackage && first) {
    const text = await widget.read(offer.slug, offer.serviceId)
    const length = service.durationMinutes
    const takes = length % 60 === 0 ? `${length / 60} hour${length === 60 ? '' : 's'}` : `${length} minutes`
    const terms = cancelling(service.dueNow ?? 0, first.freeCancellationLocal)
    for (const said of [sentence, timeZoneName, `Takes ${takes}.`, terms]) expect(text).toContain(said)
    seen.widgets++
  }

  // The open time for agents, who book with the fee.
  const deposit = service.deposit ?? 0
  const dueOfAgent = Math.round((deposit + FEE) * 100) / 100
  const { professionalId, serviceId, packageId } = offer
  for (const era of ['initialize', 'stateless'] as const) {
    const args = { professionalId, serviceId, date: slot.date, ...(packageId !== null && { packageId }) }
    const { structured } = await callInEra(app, keys.agent, era, 'query_availability', args)
    const tool = structured as unknown as {
      price: Price
      days: { open: { startDateTime: string; lateCancellation?: true }[] }[]
    }
    expect<object>(tool).toMatchObject({
      timeZoneName,
      dueNow: dueOfAgent,
      price: { ...priced, total: totalWith(FEE) },
    })
    const same = tool.days[0]?.open.find(({ startDateTime }) => startDateTime === slot.startDateTime)
    expect(same?.lateCancellation ?? false).toBe(slot.freeCancellationUntil === null)
  }

  // The booking, as made and on every interface afterwards.
  const by = isPackage
    ? (['initialize', 'stateless'] as Era[])[way % 2]
    : (['POST /bookings', 'initialize', 'stateless'] as const)[way % 3]
  const email = `${crypto.randomUUID()}@test.example`
  const made = await bookBy(app, keys, by ?? 'initialize', { offer, slot, minutes: given.minutes, email })
  const hasFee = by !== 'POST /bookings'
  const due = hasFee ? dueOfAgent : deposit
  const agreed = {
    price: { ...priced, total: totalWith(hasFee ? FEE : 0) },
    timeZone: listed.timezone,
    localTime: when,
    // REST books as long as it is told, agents for the length of the times that they were shown.
    durationMinutes: hasFee ? service.durationMinutes : given.minutes,
    status: made.receipt.status,
  }
  expect<object>(made.receipt).toMatchObject({ ...agreed, deposit, fee: hasFee ? FEE : 0 })
  expect(made.cancellationPolicy).toBe(cancelling(due, slot.freeCancellationLocal))
  if (due === 0 || hasFee) expect(made.nextSteps.join(' ')).toContain(due === 0 || hasFee ? when : '')
  const { confirmationCode: code } = made.receipt
  for (const [where, booking] of Object.entries(await bookingsShown(app, keys, code)))
    expect<object>({ where, ...booking }).toMatchObject({ where, ...agreed })
  const status = await pageText(`/bookings/${code}`)
  for (const text of [sentence, day, cancelling(due, slot.freeCancellationLocal)]) expect(status).toContain(text)
  const calendar = (await visitorFromNewAddress(app).get(`/bookings/${code}.ics`)).text
  const unfolded = calendar.replaceAll(/\r?\n /g, '').replaceAll('\\,', ',')
  expect(unfolded).toContain(sentence)
  expect(unfolded).toContain(`DTSTART:${slot.startDateTime.replaceAll(/[-:]|\.\d+/g, '')}`)
  const mail = await mailTo(email)
  expect(mail).toContain(sentence)
  expect(mail).toContain(timeZoneName)
  if (due > 0) expect(mail).toContain(cancelling(due, slot.freeCancellationLocal))
  seen.mails++
  seen.booked++
  seen[due === 0 ? 'free' : slot.freeCancellationUntil === null ? 'late' : 'early']++
}

test(
  'price, sums, zone and terms are the same sentence or number on every interface, before and after a booking',
  async () => {
    await fc.assert(fc.asyncProperty(situation, check), { numRuns: RUNS, endOnFailure: true })
    expect(seen.booked).toBeGreaterThan(RUNS / 2)
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
  },
  longForm(180_000, 1_200_000),
)
