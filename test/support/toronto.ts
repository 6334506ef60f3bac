// A marketplace in Toronto, from an empty database: its country is chosen as an operator does it, and it has one pro.
import { ctxOf } from '../../src/ctx.ts'
import { addOffer } from '../../src/features/business/offers/verbs.ts'
import { createPro } from '../../src/features/business/pros/verbs.ts'
import { updateMarketplace } from '../../src/features/upkeep/marketplace/verbs.ts'
import { findFreePort } from '../../src/local/ports.ts'
import { seed } from '../../src/local/seed/seed.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { getCatalogNames } from '../../src/features/catalog/services/verbs/names.ts'
import { type TestApp, instrumentedApp, openTestApp } from './app.ts'
import { SEEDED_AT, testSql } from './database.ts'
import { SITE } from './site.ts'

interface OpenTime {
  date: string
  time: string
  startsAt: string
}

export interface Toronto {
  readonly app: TestApp
  readonly url: string
  /** A plumber, who is booked at once for 120 dollars. */
  readonly pro: { id: string; slug: string; serviceId: string; email: string }
  /** The next open time of the pro. */
  nextTime(): Promise<OpenTime>
  close(): Promise<void>
}

/** Where a customer in Toronto lives. */
export const TORONTO_ADDRESS = { street: '301 Front St W', city: 'Toronto', state: 'ON', zipCode: 'M5V 1A1' }
export const TORONTO_PHONE = '+1 416 555 0142'

/** Words of the United States, and the name of the software: no text of ours has them in Canada. */
const AMERICAN = /\b(?:Hearth|ZIP|USD|US|TX|Texas|United States|Austin)\b|\b(?:Miles?|miles?)\b/g

/** What may be read nevertheless. */
const STAYS: readonly RegExp[] = [
  // The operator chooses the country of the marketplace.
  /<option value="US"(?: selected)?>United States<\/option>|Must be &quot;US&quot; or &quot;CA&quot;/g,
  /must be \\"US\\" or \\"CA\\"|"enum":\["US","CA"\]|one of &quot;US&quot;, &quot;CA&quot;/g,
  // The language of numbers and dates, and a currency of which no more is shown than the sign, in the code of scripts.
  /\ben-US\b|\w="USD"\)/g,
  // What a person wrote.
  /Homeowner in Austin/g,
]

/** Each such word, with the text around it. */
export function americanWordsIn(text: string): string[] {
  const ours = STAYS.reduce((rest, known) => rest.replace(known, ''), text)
  return Array.from(ours.matchAll(AMERICAN), ({ index }) => ours.slice(Math.max(0, index - 60), index + 60))
}

/** Pros that other fixtures put into Austin are in Toronto, and are paid there. */
export async function moveToToronto({ sql }: TestApp): Promise<void> {
  await sql`
    update professionals set city_id = c.id, latitude = c.latitude, longitude = c.longitude
    from cities c where c.name = 'Toronto' and c.state = 'ON' and professionals.city_id <> c.id`
  await sql`update professional_services set price_type = 'flat', unit = null where price_type <> 'flat'`
  await sql`update professional_services set currency = 'CAD'`
}

export async function openToronto(): Promise<Toronto> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const app = await openTestApp('migrated', { env: { BASE_URL: url, PORT: String(port) } })
  const sql = testSql(app.databaseUrl, 2)
  await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
  await sql.end()
  const ctx = ctxOf(app.deps)
  await updateMarketplace(ctx, { ...SITE, country: 'CA', version: 0, by: null })
  await waitUntil(async () => (await getCatalogNames(ctx)).region.country === 'CA', 10_000)
  const pro = await addPro(app)
  const { fetch } = instrumentedApp(app.deps)
  const server = Bun.serve({ hostname: '127.0.0.1', port, fetch })
  return {
    app,
    url,
    pro,
    nextTime: async () => {
      const path = `/api/v1/pros/${pro.id}/availability?serviceId=${pro.serviceId}`
      const { nextAvailable } = (await (await app.send(path)).json()) as { nextAvailable: Omit<OpenTime, 'startsAt'> }
      const { date, time } = nextAvailable
      // Daylight saving time: the tests' clock says June.
      return { date, time, startsAt: new Date(`${date}T${time}:00-04:00`).toISOString() }
    },
    close: async () => {
      await server.stop(true)
      await app.close()
    },
  }
}

async function addPro(app: TestApp): Promise<Toronto['pro']> {
  const email = 'queen@pros.example'
  const { pro } = await createPro(ctxOf(app.deps), {
    businessName: 'Queen Street Plumbing',
    email,
    phone: '(416) 555-0199',
    place: 'm5v 1a1',
    radius: 25,
    plan: 'business',
    by: null,
    createLogin: () => Promise.resolve(),
  })
  const { services } = await getCatalogNames(ctxOf(app.deps))
  const serviceId = services.find(({ slug }) => slug === 'plumber')?.id ?? ''
  const offer = { serviceId, basePrice: 120, instantBookEnabled: true, durationMinutes: 60 }
  await addOffer(ctxOf(app.deps, { professionalId: pro.id }), offer)
  const key = await app.key(['pro:read', 'pro:write'], email)
  await app.send('/api/v1/pro/availability', { method: 'PATCH', key, json: { instantBookingEnabled: true } })
  return { id: pro.id, slug: pro.slug, serviceId, email }
}
