// What each interface says of an offer, an open time and a booking, in one form to compare: price, sums, zone and terms.
import type { Booking, BookingReceipt } from '../../src/features/booking/bookings/schemas.ts'
import type { Availability } from '../../src/features/calendar/availability/schemas.ts'
import type { ProfessionalDetail } from '../../src/features/search/pros/schemas.ts'
import type { Price } from '../../src/platform/schema/price.ts'
import { CUSTOMER_SERVER, readResult, rpc } from './agents.ts'
import type { TestApp } from './app.ts'
import { VISIT, VISIT_ADDRESS, VISIT_PHONE } from './booking-fixture.ts'
import type { Offer } from './bookable-situations.ts'

export type Era = 'initialize' | 'stateless'
type Slot = Availability['availability'][number]['slots'][number] & { date: string }

/** Calls a tool of the customer server as a client of that era does. */
export async function callInEra(app: TestApp, key: string, era: Era, name: string, args: object) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
  const { reply } =
    era === 'stateless'
      ? await rpc(app, CUSTOMER_SERVER, key, 'tools/call', { name, arguments: args, _meta: meta }, headers)
      : await rpc(app, CUSTOMER_SERVER, key, 'tools/call', { name, arguments: args })
  if (!reply.result) throw new Error(`${name}: ${JSON.stringify(reply.error)}`)
  return readResult(reply.result)
}

const json = async <T>(app: TestApp, path: string, key: string) => (await (await app.send(path, { key })).json()) as T

const choiceOf = ({ serviceId, packageId }: Offer): Record<string, string> =>
  packageId === null ? { serviceId } : { packageId }

export const listTimes = (app: TestApp, key: string, offer: Offer, days = 3): Promise<Availability> => {
  const query = new URLSearchParams({ ...choiceOf(offer), days: String(days) })
  return json<Availability>(app, `/api/v1/pros/${offer.professionalId}/availability?${query.toString()}`, key)
}

export const openSlots = ({ availability }: Availability): Slot[] =>
  availability.flatMap(({ date, slots }) =>
    slots.filter(({ available }) => available).map((slot) => ({ ...slot, date })),
  )

/** The price of the offer wherever a list or a detail of the API shows it, by interface. */
export async function pricesOfOffer(
  app: TestApp,
  key: string,
  offer: Offer,
): Promise<Record<string, Price | undefined>> {
  const { professionalId, slug, serviceId, packageId } = offer
  const listed = await listTimes(app, key, offer)
  if (packageId !== null) {
    const one = await json<{ package?: { pricing: Price }; pricing?: Price }>(app, `/api/v1/packages/${packageId}`, key)
    return { times: listed.service?.price, package: one.package?.pricing ?? one.pricing }
  }
  const [place] = await app.sql<{ lat: number; lng: number }[]>`
    select latitude as lat, longitude as lng from professionals where id = ${professionalId}`
  const near = `service=${serviceId}&lat=${place?.lat}&lng=${place?.lng}&radius=1&limit=50`
  const { professionals } = await json<{ professionals: { id: string; matchedService: { pricing: Price } | null }[] }>(
    app,
    `/api/v1/pros?${near}`,
    key,
  )
  const ofService = ({ services }: ProfessionalDetail) => services.find(({ id }) => id === serviceId)?.pricing
  const date = listed.availability[0]?.date ?? ''
  const query = new URLSearchParams({ professionalId, serviceId, date })
  return {
    times: listed.service?.price,
    search: professionals.find(({ id }) => id === professionalId)?.matchedService?.pricing,
    detail: ofService(await json(app, `/api/v1/pros/${slug}`, key)),
    profile: ofService(await json(app, `/api/v1/profile/public/${slug}`, key)),
    'one day': (await json<{ price: Price }>(app, `/api/v1/availability/query?${query.toString()}`, key)).price,
  }
}

export interface Made {
  receipt: BookingReceipt
  cancellationPolicy: string
  nextSteps: string[]
}

/** Books an open time: without the fee by POST /bookings, with it by an agent of either era or for a package. */
export async function bookBy(
  app: TestApp,
  { server, agent }: { server: string; agent: string },
  by: 'POST /bookings' | Era,
  { offer, slot, minutes, email }: { offer: Offer; slot: Slot; minutes: number; email: string },
): Promise<Made> {
  const { professionalId, serviceId, packageId } = offer
  if (by === 'POST /bookings') {
    const customer = { name: 'Homeowner in Austin', email, phone: VISIT_PHONE }
    const body = {
      professionalId,
      serviceId,
      date: slot.date,
      time: slot.start,
      duration: minutes,
      customer,
      address: VISIT_ADDRESS,
    }
    const response = await app.send('/api/v1/bookings', { key: server, json: body })
    const made = (await response.json()) as { booking: BookingReceipt } & Omit<Made, 'receipt'>
    return { ...made, receipt: made.booking }
  }
  const args = {
    professionalId,
    serviceId,
    ...(packageId !== null && { packageId }),
    startDateTime: slot.startDateTime,
    guestName: 'Homeowner in Austin',
    guestEmail: email,
    ...VISIT,
  }
  const { structured, texts } = await callInEra(app, agent, by, 'book_appointment', args)
  const { cancellationPolicy, ...receipt } = structured as unknown as BookingReceipt & { cancellationPolicy: string }
  return { receipt, cancellationPolicy, nextSteps: texts }
}

/** The booking on the interfaces that show it as an object, by interface. */
export async function bookingsShown(
  app: TestApp,
  keys: { server: string; agent: string },
  code: string,
): Promise<Record<string, Booking>> {
  const { booking } = await json<{ booking: Booking }>(app, `/api/v1/bookings?code=${code}`, keys.server)
  const read = async (era: Era) =>
    (await callInEra(app, keys.agent, era, 'get_booking', { confirmationCode: code })).structured['booking'] as Booking
  const [event] = await app.sql<{ object: Booking }[]>`
    select data -> 'object' as object from outbox_events where aggregate_id = ${booking.id} order by sequence desc limit 1`
  if (!event) throw new Error('A booking has events.')
  return {
    code: booking,
    initialize: await read('initialize'),
    stateless: await read('stateless'),
    webhook: event.object,
  }
}
