// list_packages: GET /packages for a model, in shorter pages.
import { Type } from '@sinclair/typebox'

import { Package, PackagesQuery } from '../../features/business/packages/schemas.ts'
import { listPackages as listAll } from '../../features/business/packages/verbs/packages.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
import { nextPage, page, pick, withDefaultLimit } from '../server/results.ts'
import { defineCustomerTool, described } from '../server/tool.ts'

/** Common to the package tools: two flags, and a scope of their own. */
export const packageTraits = {
  access: 'read',
  flags: ['FEATURE_CUSTOMER_MCP_PACKAGES', 'FEATURE_OFFER_PACKAGES'],
  scopes: ['packages:read'],
} as const

const { kind, location, bedrooms, maxPrice } = PackagesQuery.properties
const { description: _, updatedAt: __, bookable: ___, ...briefFields } = Package.properties
const BriefPackage = Type.Object(briefFields)

export const listPackages = defineCustomerTool({
  ...packageTraits,
  name: 'list_packages',
  title: 'List fixed-price packages',
  description:
    'Fixed-price offers of pros that can be booked, cheapest first. Next: get_package for one, compare_packages for two to four; query_availability, then book_appointment, with packageId, professionalId and serviceId.',
  input: Type.Object(
    {
      kind,
      location,
      bedrooms: described(bedrooms, 'Of the home'),
      maxPrice,
      ...page,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ packages: Type.Array(BriefPackage), meta: PageMeta }),
  call: async (ctx, query) => {
    const { packages, meta } = await listAll(ctx, { ...withDefaultLimit(query), isBookable: true })
    return { packages: packages.map((one) => pick(BriefPackage, one)), meta }
  },
  next: ({ packages, meta }) =>
    packages.length === 0 ? 'No package matches. Remove a filter, or use search_pros.' : nextPage(meta),
})
