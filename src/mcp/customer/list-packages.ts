// list_packages: GET /packages for a model, in shorter pages.
import { type Static, Type } from '@sinclair/typebox'

import { Package, PackagesQuery } from '../../features/packages/schemas.ts'
import { listPackages as listAll } from '../../features/packages/verbs/packages.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
import { defineCustomerTool } from '../server/tool.ts'
import { packageTraits } from './package-traits.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 20

const { kind, location, bedrooms, maxPrice, offset } = PackagesQuery.properties
const { description: _, updatedAt: __, ...listed } = Package.properties
const ListedPackage = Type.Object(listed)

export const listPackages = defineCustomerTool({
  ...packageTraits,
  name: 'list_packages',
  title: 'List fixed-price packages',
  description:
    'Offers of pros at a fixed price, cheapest first. Next: get_package for one, compare_packages for two to four; book one with book_appointment and its packageId, the professionalId and the serviceId.',
  input: Type.Object(
    {
      kind,
      location,
      bedrooms,
      maxPrice,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
      offset,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ packages: Type.Array(ListedPackage), meta: PageMeta }),
  call: async (deps, _, query) => {
    const { packages, meta } = await listAll(deps, { ...query, limit: query.limit ?? DEFAULT_LIMIT })
    return { packages: packages.map(brief), meta }
  },
  next: ({ packages, meta }) =>
    packages.length === 0
      ? 'No package fits. Leave out a filter, or use search_pros.'
      : meta.hasMore
        ? `More with offset ${meta.offset + meta.limit}.`
        : undefined,
})

function brief(one: Package): Static<typeof ListedPackage> {
  const { description: _, updatedAt: __, ...rest } = one
  return rest
}
