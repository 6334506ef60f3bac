// What is offered can be booked: random pros, services, packages, settings and days, on every surface.
import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Availability, ChosenOffer } from '../../../../src/features/calendar/availability/schemas.ts'
import type { ProfessionalDetail, PublicProfile } from '../../../../src/features/search/pros/schemas.ts'
import { Random } from '../../../../src/local/seed/random.ts'
import { VISIT } from '../../../support/booking-fixture.ts'
import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import { openTestApp } from '../../../support/app.ts'
import {
  type Situation,
  LAST_FIRST_DAY,
  LISTED_DAYS,
  arrange,
  expectedTerms,
  firstDay,
  listOffers,
  readPro,
  situation,
  termsOfAgents,
} from '../../../support/bookable-situations.ts'
import {
  type Choice,
  type ChosenSlot,
  type Surface,
  SURFACE_SCOPES,
  hiddenFields,
  openSurfaces,
  pagePath,
} from '../../../support/booking-surfaces.ts'
import { opened } from '../../../support/fixture.ts'
import { longForm } from '../../../support/long-form.ts'
import { visitorFromNewAddress } from '../../../support/visitor.ts'

const RUNS = longForm(200, 1000)
const FEE = 5

const app = await opened(openTestApp('seeded', { env: { INSTANT_BOOKING_FEE_CENTS: String(FEE * 100) } }))
const serverKey = await app.key(SURFACE_SCOPES.server)
const agentKey = await app.key(SURFACE_SCOPES.agent, 'agent@test.example')
const widget = await app.key(SURFACE_SCOPES.widget, 'widget@test.example')
const surfaces = openSurfaces(app, { server: serverKey, widget, agent: agentKey })
const offers = await listOffers(app.sql)

type Slot = Availability['availability'][number]['slots'][number] & { date: string }
const slotsOf = ({ availability }: Availability): Slot[] =>
  availability.flatMap(({ date, slots }) => slots.map((slot) => ({ ...slot, date })))

async function list(
  { professionalId, serviceId, packageId }: Choice,
  date: string,
  days = LISTED_DAYS,
): Promise<Availability> {
  const query = new URLSearchParams({
    ...(packageId === undefined ? { serviceId } : { packageId }),
    date,
    days: String(days),
  })
  const response = await app.send(`/api/v1/pros/${professionalId}/availability?${query.toString()}`, { key: serverKey })
  expect(response.status).toBe(200)
  return (await response.json()) as Availability
}

/** The other lists show the same times: the tool, the page, and for a service the list of one day. The pro's detail agrees. */
async function expectSameLists(choice: Choice, listed: Availability): Promise<void> {
  const { professionalId, serviceId, packageId, slug } = choice
  const open = slotsOf(listed).filter(({ available }) => available)
  const date = listed.availability[0]?.date ?? ''
  const openOn = (day: string) => open.filter((slot) => slot.date === day)
  const input = {
    professionalId,
    serviceId,
    ...(packageId === undefined ? {} : { packageId }),
    date,
    days: LISTED_DAYS,
  }
  const { structured } = await callTool(app, CUSTOMER_SERVER, agentKey, 'query_availability', input)
  const { id: _, name: __, package: ___, ...terms } = listed.service ?? ({} as ChosenOffer)
  const told = termsOfAgents(terms, packageId === undefined ? FEE : 0)
  expect(structured).toMatchObject({ ...told, nextAvailable: listed.nextAvailable })
  expect(structured['days']).toEqual(
    listed.availability.map((day) => ({
      date: day.date,
      open: openOn(day.date).map(({ start, startDateTime, freeCancellationUntil }) => ({
        time: start,
        startDateTime,
        ...(freeCancellationUntil === null && { lateCancellation: true }),
      })),
    })),
  )
  const page = (await visitorFromNewAddress(app).get(`${pagePath(choice)}&from=${date}&date=${date}`)).text
  const shown = [...page.matchAll(/class="button[^"]*" href="[^"]*&amp;time=(\d\d)%3A(\d\d)#who"/g)].map(
    ([, h, m]) => `${h}:${m}`,
  )
  expect({ slug, shown }).toEqual({ slug, shown: openOn(date).map(({ start }) => start) })
  if (packageId !== undefined) return
  const detail = (await (await app.send(`/api/v1/pros/${slug}`)).json()) as ProfessionalDetail
  const offer = detail.services.find(({ id }) => id === serviceId)
  const { durationMinutes, bookable: instantBookEnabled, deposit } = terms
  const due = instantBookEnabled && deposit ? { deposit } : {}
  expect(offer?.booking).toEqual({ durationMinutes, instantBookEnabled, ...due })
  const query = new URLSearchParams({ professionalId, serviceId, date }).toString()
  const oneDay = (await (await app.send(`/api/v1/availability/query?${query}`)).json()) as object
  expect(oneDay).toMatchObject({ ...terms, slots: listed.availability[0]?.slots, nextAvailable: listed.nextAvailable })
}

/** Books on a surface as a new customer, and returns the outcome and the booking. */
async function attempt(surface: Surface, choice: Choice, slot: ChosenSlot) {
  const email = `${crypto.randomUUID()}@test.example`
  const outcome = await surface(choice, slot, email)
  const [booking] = await app.sql<
    {
      startsAt: string
      minutes: number
      serviceId: string
      packageId: string | null
      depositCents: number
      feeCents: number
    }[]
  >`
    select starts_at, duration_minutes as minutes, service_id, package_id, deposit_cents, fee_cents
    from bookings where customer_email = ${email}`
  return { outcome, booking }
}

/** The list after a booking: what is nearer to it than the buffer is taken, and nothing else has changed. */
function afterBooking(slots: Slot[], booked: Slot, minutes: number, bufferMinutes: number): Slot[] {
  const at = ({ startDateTime }: Slot) => Date.parse(startDateTime) / 60_000
  return slots.map((slot) => {
    if (slot.available && Math.abs(at(slot) - at(booked)) >= minutes + bufferMinutes) return slot
    const { freeCancellationUntil: _, freeCancellationLocal: __, ...taken } = slot
    return { ...taken, available: false }
  })
}

/** How often each outcome occurred. */
const seen = { booked: 0, taken: 0, refused: 0, aroundChanges: 0, packages: 0 }

/** Nothing is listed, and every surface refuses a booking with the obstacle's code. */
async function expectRefusals(usable: [string, Surface][], choice: Choice, listed: Availability, reason: string) {
  expect({ slots: slotsOf(listed), next: listed.nextAvailable }).toEqual({ slots: [], next: null })
  const date = listed.availability[0]?.date ?? ''
  const slot = { date, start: '10:00', startDateTime: `${date}T18:00:00.000Z` }
  for (const [name, surface] of usable) {
    // On POST /bookings the caller sets the length. One that does not fit is a time that is not available.
    const isOwnLength = name !== 'POST /bookings' && name !== 'POST /bookings of a widget'
    const outcome = reason === 'service_too_long' && !isOwnLength ? '409 slot_unavailable' : `400 ${reason}`
    expect({ name, ...(await attempt(surface, choice, slot)) }).toEqual({ name, outcome, booking: undefined })
  }
  seen.refused++
}

/** The page at the bookingUrl of the next time has that time chosen. */
async function expectChosen({ bookingUrl, date, time }: NonNullable<Availability['nextAvailable']>, serviceId: string) {
  const { pathname, search } = new URL(bookingUrl)
  const form = hiddenFields((await visitorFromNewAddress(app).get(pathname + search)).text)
  expect(form).toMatchObject({ service: serviceId, date, time })
}

/** Books one open time and tries one that is not open. Returns the list afterwards, or undefined if nothing is open. */
async function bookOne(
  [name, surface]: [string, Surface],
  choice: Choice,
  before: Availability,
  { bufferMinutes, random }: { bufferMinutes: number; random: Random },
): Promise<Availability | undefined> {
  const hasOpen = slotsOf(before).some(({ available }) => available)
  if (!before.nextAvailable) {
    expect(hasOpen).toBe(false)
    return undefined
  }
  const next = before.nextAvailable.date
  const listed = hasOpen ? before : await list(choice, next, next > LAST_FIRST_DAY ? 1 : LISTED_DAYS)
  const slots = slotsOf(listed)
  const [open, closed] = [slots.filter(({ available }) => available), slots.filter(({ available }) => !available)]
  expect(before.nextAvailable).toMatchObject({ date: open[0]?.date, time: open[0]?.start })

  const taken = closed[random.integer(0, closed.length - 1)]
  if (taken) {
    const refused = await attempt(surface, choice, taken)
    expect({ name, taken, ...refused }).toEqual({ name, taken, outcome: '409 slot_unavailable', booking: undefined })
    seen.taken++
  }
  const isNext = random.chance(0.3)
  if (isNext) await expectChosen(before.nextAvailable, choice.serviceId)
  const slot = open[isNext ? 0 : random.integer(0, open.length - 1)] as Slot
  const { outcome, booking } = await attempt(surface, choice, slot)
  expect({ name, slot, outcome }).toEqual({ name, slot, outcome: 'booked' })
  const hasFee = /create|book_appointment/.test(name) || (name === 'the page' && choice.packageId !== undefined)
  expect(booking).toEqual({
    startsAt: slot.startDateTime,
    minutes: choice.minutes,
    serviceId: choice.serviceId,
    packageId: choice.packageId ?? null,
    depositCents: Math.round((listed.service?.deposit ?? 0) * 100),
    feeCents: hasFee ? FEE * 100 : 0,
  })
  const after = await list(choice, listed.availability[0]?.date ?? '', listed.availability.length)
  expect(slotsOf(after)).toEqual(afterBooking(slots, slot, choice.minutes, bufferMinutes))
  seen.booked++
  return after
}

async function check({ offer: index, settings: given, day, seed }: Situation): Promise<void> {
  const offer = offers[index % offers.length]
  if (!offer) throw new Error('The seed has no offers.')
  await arrange(app.sql, offer, given)
  const pro = await readPro(app.sql, offer)
  const { date, isChange } = firstDay(day, pro.timeZone)
  const choice: Choice = { ...offer, packageId: offer.packageId ?? undefined, minutes: given.minutes }

  const listed = await list(choice, date)
  const { reason, ...terms } = expectedTerms(given, pro)
  expect(listed.service).toMatchObject({ ...terms, fee: FEE, bookable: reason === undefined })
  expect(listed.service?.obstacle?.reason).toEqual(reason)
  await expectSameLists(choice, listed)

  const usable = Object.entries(offer.packageId === null ? surfaces.forServices : surfaces.forPackages)
  if (reason !== undefined) return await expectRefusals(usable, choice, listed, reason)
  const random = new Random(seed, 0, 0)
  let current: Availability | undefined = listed
  for (const surface of usable.toSorted(() => random.float() - 0.5)) {
    current = await bookOne(surface, choice, current, { bufferMinutes: given.bufferMinutes, random })
    if (!current) return
    if (isChange) seen.aroundChanges++
    if (offer.packageId !== null) seen.packages++
  }
}

test(
  'every time listed for a service or package books on every surface in its length, and no other time does',
  async () => {
    await fc.assert(fc.asyncProperty(situation, check), { numRuns: RUNS, endOnFailure: true })
    expect(Math.min(seen.taken, seen.refused, seen.aroundChanges, seen.packages)).toBeGreaterThan(RUNS / 20)
    expect(seen.booked).toBeGreaterThan(RUNS)
  },
  longForm(120_000, 1_800_000),
)

test('a package lasts as long as the pro says: another length is refused', async () => {
  const offer = offers.find(({ packageId }) => packageId !== null)
  if (!offer) throw new Error('The seed has no packages.')
  const input = {
    professionalId: offer.professionalId,
    serviceId: offer.serviceId,
    packageId: offer.packageId,
    startDateTime: '2026-06-10T18:00:00Z',
    guestName: 'Homeowner in Austin',
    guestEmail: 'home@test.example',
    durationMinutes: 60,
    ...VISIT,
  }
  await app.sql`update packages set duration_minutes = 90 where id = ${offer.packageId}`
  const response = await app.send('/api/v1/bookings/create', { key: serverKey, json: input })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.durationMinutes' }] })
  const { isError, problem } = await callTool(app, CUSTOMER_SERVER, agentKey, 'book_appointment', input)
  expect({ isError, code: problem?.code }).toEqual({ isError: true, code: 'validation_failed' })
})

describe('a pro’s bookingUrl', () => {
  /** Whether at least one service can be booked, by the columns alone. */
  const listPros = (isBookable: boolean, limit: number) => app.sql<{ id: string; slug: string }[]>`
    select p.id, p.slug from professionals p
    where p.active and ${isBookable} = (p.instant_booking_enabled and exists (
      select from professional_services o join services s on s.id = o.service_id and s.active
      where o.professional_id = p.id and o.instant_book_enabled
        and (not p.deposit_required or o.base_price_cents is not null or o.min_price_cents is not null)
        and exists (
          select from jsonb_each(p.business_hours) day, jsonb_array_elements(day.value) hours
          where (hours ->> 'end')::interval - (hours ->> 'start')::interval
            >= coalesce(o.duration_minutes, s.duration_minutes) * interval '1 minute')))
    order by md5(p.id::text) limit ${limit}`
  const COUNT = longForm(40, 2000)

  test('leads to a page that offers what can be booked', async () => {
    for (const { id, slug } of await listPros(true, COUNT)) {
      const profile = (await (await app.send(`/api/v1/profile/public/${id}`)).json()) as PublicProfile
      expect(profile.booking.instantBookingEnabled).toBe(true)
      expect(profile.bookingUrl).toEndWith(`/pros/${slug}/book`)
      const bookable = profile.services.filter(({ booking }) => booking.instantBookEnabled)
      const { text } = await visitorFromNewAddress(app).get(`/pros/${slug}/book`)
      const offered = [...text.matchAll(/book\?service=([0-9a-f-]{36})"/g)].map(([, service]) => service)
      if (bookable.length === 1) expect(text).toContain('Times are in ')
      else expect(offered).toEqual(bookable.map(({ id: service }) => service))
    }
  })

  test('is null when no service can be booked, and the page leads to the quote form', async () => {
    for (const { id, slug } of await listPros(false, COUNT)) {
      const profile = (await (await app.send(`/api/v1/profile/public/${id}`)).json()) as PublicProfile
      expect([profile.bookingUrl, profile.booking.instantBookingEnabled]).toEqual([null, false])
      expect(profile.services.filter(({ booking }) => booking.instantBookEnabled)).toEqual([])
      const { text } = await visitorFromNewAddress(app).get(`/pros/${slug}/book`)
      expect(text).toContain(`href="/pros/${slug}/quote"`)
    }
  })
})
