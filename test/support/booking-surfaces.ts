// The surfaces on which a customer books: each books one time for a service or package and reports the outcome.
import type { Scope } from '../../src/auth/scopes.ts'
import { CUSTOMER_SERVER, readResult, rpc } from './agents.ts'
import { type TestApp, WIDGET_ORIGIN } from './app.ts'
import { VISIT, VISIT_ADDRESS, VISIT_PHONE } from './booking-fixture.ts'
import { visitorFromNewAddress } from './visitor.ts'

/** What is booked, as a listing for it shows it. */
export interface Choice {
  slug: string
  professionalId: string
  serviceId: string
  packageId?: string | undefined
  minutes: number
}

export interface ChosenSlot {
  date: string
  start: string
  startDateTime: string
}

/** `booked`, or status and code of the error; a page shows a problem instead. */
type Outcome = string

export interface SurfaceKeys {
  server: string
  widget: string
  agent: string
}

/** The scopes of the keys that the surfaces need. */
export const SURFACE_SCOPES = {
  server: ['availability:read', 'bookings:write', 'packages:book'],
  widget: ['widget:public', 'widget:book'],
  agent: ['mcp:read', 'mcp:write', 'packages:read', 'packages:book'],
} as const satisfies Record<keyof SurfaceKeys, readonly Scope[]>

export type Surface = (choice: Choice, slot: ChosenSlot, email: string) => Promise<Outcome>

/** The surfaces for services, and the fewer ones for packages. */
export function openSurfaces(app: TestApp, keys: SurfaceKeys) {
  const post = (
    path: string,
    key: string,
    body: (choice: Choice, slot: ChosenSlot, email: string) => object,
  ): Surface => {
    const headers: Record<string, string> = key === keys.widget ? { origin: WIDGET_ORIGIN } : {}
    return async (...chosen) => {
      // As if each customer's network were a new one: the second free booking from a network needs a code.
      if (key === keys.widget) await app.sql`delete from network_bookings`
      const response = await app.send(path, { key, headers, json: body(...chosen) })
      const { code } = (await response.json()) as { code?: string }
      return response.status === 201 ? 'booked' : `${response.status} ${code}`
    }
  }
  const rest = (key: string) => post('/api/v1/bookings', key, restBody)
  const create = (key: string) => post('/api/v1/bookings/create', key, startBody)
  const tool =
    (params: object, headers: Record<string, string>): Surface =>
    async (...chosen) => {
      const call = { name: 'book_appointment', arguments: startBody(...chosen), ...params }
      const { reply } = await rpc(app, CUSTOMER_SERVER, keys.agent, 'tools/call', call, headers)
      const { isError, problem } = readResult(reply.result ?? {})
      return isError ? `${String(problem?.['status'])} ${problem?.code}` : 'booked'
    }
  const forPackages = {
    'POST /bookings/create': create(keys.server),
    'the page': pageSurface(app),
    'book_appointment, with initialize': tool({}, {}),
    'book_appointment, stateless': tool({ _meta: ENVELOPE }, STATELESS_HEADERS),
  }
  return {
    forPackages,
    forServices: {
      ...forPackages,
      'POST /bookings': rest(keys.server),
      'POST /bookings of a widget': rest(keys.widget),
      'POST /bookings/create of a widget': create(keys.widget),
    },
  }
}

const restBody = ({ professionalId, serviceId, minutes }: Choice, { date, start }: ChosenSlot, email: string) => ({
  professionalId,
  serviceId,
  date,
  time: start,
  duration: minutes,
  customer: { name: 'Homeowner in Austin', email, phone: VISIT_PHONE },
  address: VISIT_ADDRESS,
})

const startBody = ({ professionalId, serviceId, packageId }: Choice, { startDateTime }: ChosenSlot, email: string) => ({
  professionalId,
  serviceId,
  ...(packageId === undefined ? {} : { packageId }),
  startDateTime,
  guestName: 'Homeowner in Austin',
  guestEmail: email,
  ...VISIT,
})

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}
const STATELESS_HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'book_appointment',
}

/** The path of the booking page for the choice, with a time or without. */
export const pagePath = ({ slug, serviceId, packageId }: Choice, slot?: { date: string; start: string }): string => {
  const query = new URLSearchParams({
    ...(packageId === undefined ? { service: serviceId } : { package: packageId }),
    ...(slot && { date: slot.date, time: slot.start }),
  })
  return `/pros/${slug}/book?${query.toString()}`
}

/** The hidden fields of the booking page's form; empty if no time is chosen. */
export const hiddenFields = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]+)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

/** Opens the page with the time chosen and sends its form. Without a form, sends what it would contain. */
const pageSurface =
  (app: TestApp): Surface =>
  async (choice, slot, email) => {
    const visitor = visitorFromNewAddress(app)
    const shown = hiddenFields((await visitor.get(pagePath(choice, slot))).text)
    const { serviceId, packageId } = choice
    const fields =
      shown['date'] === slot.date && shown['time'] === slot.start
        ? shown
        : {
            service: serviceId,
            ...(packageId === undefined ? {} : { package: packageId }),
            date: slot.date,
            time: slot.start,
            idempotencyKey: crypto.randomUUID(),
          }
    const person = { name: 'Homeowner in Austin', email, phone: VISIT_PHONE, ...VISIT_ADDRESS }
    const { status, text } = await visitor.postRaw(`/pros/${choice.slug}/book`, { ...fields, ...person })
    return status === 303 ? 'booked' : (PROBLEMS.find(([shown]) => text.includes(shown))?.[1] ?? `${status} ${text}`)
  }

/** What the page says, and the error that it means. */
const PROBLEMS = [
  ['This time is no longer available.', '409 slot_unavailable'],
  ['does not take online bookings', '400 instant_booking_disabled'],
  ['does not take instant bookings', '400 instant_booking_disabled'],
  ['has set no price', '400 service_unpriced'],
  ['takes longer than the pro works in one stretch', '400 service_too_long'],
] as const
