// search_pros: GET /pros for a model, in shorter pages.
import { type Static, Type } from '@sinclair/typebox'

import { Professional, ProsQuery, SearchMeta } from '../../features/pros/schemas.ts'
import { findPros } from '../../features/pros/verbs.ts'
import { Nullable } from '../../platform/schema/types.ts'
import { nextPage, page, pick, truncate, withDefaultLimit } from '../server/results.ts'
import { defineCustomerTool } from '../server/tool.ts'

const { q, service, category, place, city, state, lat, lng, radius, verified, instantBook } = ProsQuery.properties

const FoundPro = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  businessName: Type.String(),
  description: Nullable(Type.String()),
  verified: Type.Boolean(),
  rating: Nullable(Type.Number()),
  reviewCount: Type.Integer(),
  services: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  pricing: Professional.properties.pricing,
  city: Nullable(Type.String()),
  state: Nullable(Type.String()),
  distance: Nullable(Type.Number()),
  instantBookingEnabled: Professional.properties.instantBookingEnabled,
  matchedService: Professional.properties.matchedService,
  profileUrl: Type.String(),
  bookingUrl: Professional.properties.bookingUrl,
})

/** A model reads ten of these texts. */
const MAX_DESCRIPTION = 200

export const searchPros = defineCustomerTool({
  name: 'search_pros',
  title: 'Find home service pros',
  description:
    'Find verified home service pros near a place. Give the person’s words as q ("plumbers austin tx"), or a service or category and a place (city with state, or ZIP code) or point (lat and lng). Around a point or ZIP code the nearest come first, otherwise the best rated. Returns the ids for other tools: `professionals[].id` is a professionalId, `services[].id` a serviceId (only the service you named, else all). With a service, `matchedService` has its price there (basePrice, or min to max, per `unit`; per visit where unit is null), its length, and in instantBookEnabled whether it can be booked at once; `pricing` is the pro’s range of prices per visit for all services. Next: query_availability where instantBookEnabled (without a service: instantBookingEnabled) is true, request_quote otherwise.',
  access: 'read',
  input: Type.Object(
    {
      q,
      service,
      category,
      place,
      city,
      state,
      lat,
      lng,
      radius,
      verified,
      instantBook,
      ...page,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ professionals: Type.Array(FoundPro), meta: SearchMeta }),
  call: async (deps, _, query) => {
    const page = JSON.parse(await findPros(deps, withDefaultLimit(query))) as {
      professionals: Professional[]
      meta: SearchMeta
    }
    return { professionals: page.professionals.map(brief), meta: page.meta }
  },
  next: ({ professionals, meta }) => {
    if (professionals.length > 0) return nextPage(meta)
    const { service = [], category = [], place = [] } = meta.suggestions ?? {}
    const nearest = [
      ...service.map(({ name }) => name),
      ...category.map(({ name }) => name),
      ...place.map(({ displayName }) => displayName),
    ]
    if (nearest.length > 0) return `No such name. Did you mean: ${nearest.join('; ')}?`
    return 'No pro matches. Try a larger radius, a category instead of the service, or fewer filters.'
  },
})

/** Of a pro's services, a search for one returns only that one: the others would be most of the page. */
const brief = (pro: Professional): Static<typeof FoundPro> =>
  pick(FoundPro, {
    ...pro,
    description: pro.description && truncate(pro.description, MAX_DESCRIPTION),
    services: (pro.matchedService ? [pro.matchedService] : pro.services).map(({ id, name }) => ({ id, name })),
    city: pro.location?.city ?? null,
    state: pro.location?.state ?? null,
  })
