// The peers' tables as a Drizzle schema.
import { boolean, customType, doublePrecision, integer, pgSchema, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

const peer = pgSchema('peer')

const geography = customType<{ data: string }>({ dataType: () => 'geography(point, 4326)' })

export const professionals = peer.table('professionals', {
  id: uuid().primaryKey(),
  slug: text().notNull(),
  businessName: text('business_name').notNull(),
  description: text(),
  verified: boolean().notNull(),
  rating: doublePrecision(),
  reviewCount: integer('review_count').notNull(),
  instantBookingEnabled: boolean('instant_booking_enabled').notNull(),
  city: text().notNull(),
  state: text().notNull(),
  latitude: doublePrecision().notNull(),
  longitude: doublePrecision().notNull(),
  location: geography().notNull(),
})

export const services = peer.table('services', {
  id: uuid().primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  category: text().notNull(),
})

export const professionalServices = peer.table(
  'professional_services',
  {
    professionalId: uuid('professional_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    minPrice: doublePrecision('min_price'),
    maxPrice: doublePrecision('max_price'),
  },
  (table) => [primaryKey({ columns: [table.professionalId, table.serviceId] })],
)
