// Fastify 5 with Drizzle: GET /api/v1/pros with the same parameters and response as Hearth. Query and response have schemas,
// which Fastify's manual recommends for fast serialization.
import { drizzle } from 'drizzle-orm/node-postgres'
import Fastify from 'fastify'
import pg from 'pg'

import { type SearchQuery, searches } from './search.ts'

const { PORT, DATABASE_URL } = process.env
const baseUrl = `http://127.0.0.1:${PORT}`
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 })
const search = searches(drizzle({ client: pool }), baseUrl)

const string = { type: 'string' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const boolean = { type: 'boolean' }
const optional = (schema: object) => ({ ...schema, nullable: true })
const object = (properties: Record<string, object>) => ({ type: 'object', properties })

const Professional = object({
  id: string,
  slug: string,
  businessName: string,
  description: optional(string),
  verified: boolean,
  rating: optional(number),
  reviewCount: integer,
  categories: { type: 'array', items: string },
  services: { type: 'array', items: object({ id: string, name: string, slug: string }) },
  pricing: optional(object({ min: number, max: number, currency: string })),
  location: object({ city: string, state: string, latitude: number, longitude: number }),
  distance: number,
  instantBookingEnabled: boolean,
  profileUrl: string,
  bookingUrl: optional(string),
})

const app = Fastify({ logger: false })
app.get('/health', () => ({ ok: true }))
app.get<{ Querystring: SearchQuery }>(
  '/api/v1/pros',
  {
    schema: {
      querystring: {
        type: 'object',
        required: ['lat', 'lng'],
        properties: {
          service: { type: 'string', maxLength: 200 },
          lat: { type: 'number', minimum: -90, maximum: 90 },
          lng: { type: 'number', minimum: -180, maximum: 180 },
          radius: { type: 'integer', minimum: 1, maximum: 500, default: 25 },
          limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
          offset: { type: 'integer', minimum: 0, default: 0 },
        },
      },
      response: {
        200: object({
          professionals: { type: 'array', items: Professional },
          meta: object({ total: integer, limit: integer, offset: integer, hasMore: boolean }),
        }),
      },
    },
  },
  ({ query }) => search(query),
)
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)))
