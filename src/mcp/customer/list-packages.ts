// list_packages: GET /packages for a model, in shorter pages.
import { Type } from '@sinclair/typebox'

import type { Ctx } from '../../ctx.ts'
import { invalidField } from '../../errors/app-error.ts'
import { COMMON_KINDS, Package, PackagesQuery } from '../../features/business/packages/schemas.ts'
import { listPackages as listAll } from '../../features/business/packages/verbs/packages.ts'
import { getCatalogNames } from '../../features/catalog/services/verbs/names.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { nextPage, page, pick, withDefaultLimit } from '../server/results.ts'
import { defineOpenTool, described } from '../server/tool.ts'

/** Common to the package tools: two flags, and a scope of their own. */
export const packageTraits = {
  access: 'read',
  quotes: 'names and descriptions',
  flags: ['FEATURE_CUSTOMER_MCP_PACKAGES', 'FEATURE_OFFER_PACKAGES'],
  scopes: ['packages:read'],
} as const

const { service, location, bedrooms, maxPrice } = PackagesQuery.properties
const { description: _, updatedAt: __, bookable: ___, ...briefFields } = Package.properties
const BriefPackage = Type.Object(briefFields)

export const listPackages = defineOpenTool({
  ...packageTraits,
  name: 'list_packages',
  title: 'List fixed-price packages',
  description:
    'Fixed-price offers of pros that can be booked, cheapest first. Next: get_package for one, compare_packages for two to four; query_availability, then book_appointment, with packageId, professionalId and serviceId.',
  input: Type.Object(
    {
      kind: Type.Optional(OneOf(COMMON_KINDS)),
      service: described(service, 'By name or id'),
      location: described(location, 'City with state, ZIP code or state'),
      bedrooms: described(bedrooms),
      maxPrice,
      ...page,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ packages: Type.Array(BriefPackage), meta: PageMeta }),
  call: async (ctx, query) => {
    await requireKnownService(ctx, query.service)
    const { packages, meta } = await listAll(ctx, { ...withDefaultLimit(query), isBookable: true })
    return { packages: packages.map((one) => pick(BriefPackage, one)), meta }
  },
  next: ({ packages, meta }) =>
    packages.length === 0
      ? 'No package matches. Remove a filter (list_services has the names of services), or use search_pros.'
      : nextPage(meta),
})

/** A service that is not understood is not one without packages. Throws validation_failed. */
async function requireKnownService(ctx: Ctx, service: string | undefined): Promise<void> {
  if (service === undefined) return
  const names = await getCatalogNames(ctx)
  if (names.offering(service)?.service) return
  const [nearest] = names.servicesLike(service, 1)
  const hint = nearest ? `did you mean ${nearest.name}?` : 'list_services has the names'
  throw invalidField('body.service', `is not a service of the catalog (${hint})`)
}
