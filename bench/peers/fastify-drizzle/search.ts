// A typical search with Drizzle and PostGIS: radius and order by a geography with a GiST index, the total by a window function,
// the services of the page by a second query. Statements are prepared once, as Drizzle's manual advises.
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'

import { professionalServices, professionals, services } from './schema.ts'

const METRES_PER_MILE = 1609.344

export interface SearchQuery {
  service?: string
  lat: number
  lng: number
  radius: number
  limit: number
  offset: number
}

export function searches(db: NodePgDatabase, baseUrl: string) {
  const point = sql`st_point(${sql.placeholder('lng')}::float8, ${sql.placeholder('lat')}::float8, 4326)::geography`
  const metres = sql<number>`st_distance(${professionals.location}, ${point}, false)`
  // Distance on the sphere, as in Hearth: faster than on the spheroid, with the same results.
  const isNear = sql`st_dwithin(${professionals.location}, ${point}, ${sql.placeholder('metres')}::float8, false)`
  const { location: _, ...columns } = getTableColumns(professionals)
  const selection = { ...columns, metres, total: sql<number>`(count(*) over ())::integer` }
  const page = { limit: sql.placeholder('limit'), offset: sql.placeholder('offset') }

  const everyPro = db
    .select(selection)
    .from(professionals)
    .where(isNear)
    .orderBy(asc(metres), asc(professionals.id))
    .limit(page.limit)
    .offset(page.offset)
    .prepare('every_pro')
  const ofService = db
    .select(selection)
    .from(professionals)
    .innerJoin(professionalServices, eq(professionalServices.professionalId, professionals.id))
    .innerJoin(services, eq(services.id, professionalServices.serviceId))
    .where(and(isNear, eq(services.slug, sql.placeholder('service'))))
    .orderBy(asc(metres), asc(professionals.id))
    .limit(page.limit)
    .offset(page.offset)
    .prepare('of_service')
  const servicesOfPage = db
    .select({
      professionalId: professionalServices.professionalId,
      service: services,
      min: professionalServices.minPrice,
      max: professionalServices.maxPrice,
    })
    .from(professionalServices)
    .innerJoin(services, eq(services.id, professionalServices.serviceId))
    .where(sql`${professionalServices.professionalId} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('services_of_page')

  return async ({ radius, limit, offset, ...query }: SearchQuery) => {
    const parameters = { ...query, limit, offset, metres: radius * METRES_PER_MILE }
    const rows = await (query.service === undefined ? everyPro : ofService).execute(parameters)
    const ids = rows.map(({ id }) => id)
    const offers = ids.length === 0 ? [] : await servicesOfPage.execute({ ids })
    const total = rows[0]?.total ?? 0
    return {
      professionals: rows.map((pro) =>
        present(
          pro,
          offers.filter(({ professionalId }) => professionalId === pro.id),
          baseUrl,
        ),
      ),
      meta: { total, limit, offset, hasMore: offset + rows.length < total },
    }
  }
}

type FoundPro = Omit<typeof professionals.$inferSelect, 'location'> & { metres: number }
interface Offer {
  service: typeof services.$inferSelect
  min: number | null
  max: number | null
}

function present({ metres, city, state, latitude, longitude, ...pro }: FoundPro, offers: Offer[], baseUrl: string) {
  const prices = offers.flatMap(({ min, max }) => (min === null || max === null ? [] : [min, max]))
  const profileUrl = `${baseUrl}/pros/${pro.slug}`
  return {
    ...pro,
    categories: [...new Set(offers.map(({ service }) => service.category))],
    services: offers.map(({ service: { id, name, slug } }) => ({ id, name, slug })),
    pricing: prices.length === 0 ? null : { min: Math.min(...prices), max: Math.max(...prices), currency: 'USD' },
    location: { city, state, latitude, longitude },
    distance: Math.round((metres / METRES_PER_MILE) * 100) / 100,
    profileUrl,
    bookingUrl: pro.instantBookingEnabled ? `${profileUrl}/book` : null,
  }
}
