// search_pros: GET /pros for a model, in shorter pages.
import { type Static, Type } from '@sinclair/typebox'

import { PageMeta } from '../../platform/schema/paging.ts'
import { type Professional, ProsQuery } from '../../features/pros/schemas.ts'
import { findPros } from '../../features/pros/verbs.ts'
import { Nullable } from '../../platform/schema/types.ts'
import { truncate } from '../server/results.ts'
import { defineCustomerTool } from '../server/tool.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 20

const { service, category, city, state, lat, lng, radius, verified, instantBook, offset } = ProsQuery.properties

const FoundPro = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  businessName: Type.String(),
  description: Nullable(Type.String()),
  verified: Type.Boolean(),
  rating: Nullable(Type.Number()),
  reviewCount: Type.Integer(),
  services: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  pricing: Nullable(Type.Object({ min: Type.Number(), max: Type.Number(), currency: Type.String() })),
  city: Nullable(Type.String()),
  state: Nullable(Type.String()),
  distance: Nullable(Type.Number()),
  instantBookingEnabled: Type.Boolean(),
  profileUrl: Type.String(),
})

/** Long texts are cut here: a model reads ten of them. */
const MAX_DESCRIPTION = 200

export const searchPros = defineCustomerTool({
  name: 'search_pros',
  title: 'Find home service pros',
  description:
    'Find verified home service pros near a place. Give a service or category, and a city with its state or a point (lat and lng). Nearest first around a point, else best rated first. Gives the ids that other tools take: `professionals[].id` is a professionalId, `services[].id` a serviceId (of the service you named, else all). Next: query_availability where instantBookingEnabled is true, request_quote otherwise.',
  access: 'read',
  input: Type.Object(
    {
      service,
      category,
      city,
      state,
      lat,
      lng,
      radius,
      verified,
      instantBook,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
      offset,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ professionals: Type.Array(FoundPro), meta: PageMeta }),
  call: async (deps, _, query) => {
    const page = JSON.parse(await findPros(deps, { ...query, limit: query.limit ?? DEFAULT_LIMIT })) as {
      professionals: Professional[]
      meta: Static<typeof PageMeta>
    }
    return { professionals: page.professionals.map((pro) => brief(pro, query.service)), meta: page.meta }
  },
  next: ({ professionals, meta }) =>
    professionals.length === 0
      ? 'No pro fits. Try a larger radius, a category instead of the service, or no filters.'
      : meta.hasMore
        ? `More with offset ${meta.offset + meta.limit}.`
        : undefined,
})

const brief = (pro: Professional, service: string | undefined): Static<typeof FoundPro> => ({
  id: pro.id,
  slug: pro.slug,
  businessName: pro.businessName,
  description: pro.description && truncate(pro.description, MAX_DESCRIPTION),
  verified: pro.verified,
  rating: pro.rating,
  reviewCount: pro.reviewCount,
  services: servicesOf(pro, service).map(({ id, name }) => ({ id, name })),
  pricing: pro.pricing,
  city: pro.location?.city ?? null,
  state: pro.location?.state ?? null,
  distance: pro.distance,
  instantBookingEnabled: pro.instantBookingEnabled,
  profileUrl: pro.profileUrl,
})

/** Who asked for one service is told of that one: the rest would be most of the page. */
function servicesOf({ services }: Professional, asked: string | undefined): Professional['services'] {
  if (asked === undefined) return services
  const wanted = asked.trim().toLowerCase()
  const named = services.find(({ id, name, slug }) => slug === wanted || id === wanted || name.toLowerCase() === wanted)
  return named ? [named] : services
}
