// GET /packages, /packages/compare, /packages/{id}: behind FEATURE_OFFER_PACKAGES.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { withKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { CompareQuery, Package, PackageComparison, PackageParams, PackagesPage, PackagesQuery } from './schemas.ts'
import { comparePackages, getPackage, listPackages } from './verbs/packages.ts'

const access = withKey('packages:read')

export const packageRoutes = (deps: Deps) =>
  new Elysia({ name: 'packages', prefix: '/packages' })
    .use(guard(deps))
    .get(
      '',
      async function getPackages({ query }) {
        return json(await listPackages(deps, query))
      },
      {
        access,
        query: PackagesQuery,
        answers: { 200: { description: 'One page of packages, cheapest first', schema: PackagesPage } },
        detail: { tags: ['Packages'], summary: 'Packages: services at a fixed price' },
      },
    )
    .get(
      '/compare',
      async function getPackageComparison({ query }) {
        return json(await comparePackages(deps, query.ids))
      },
      {
        access,
        query: CompareQuery,
        answers: {
          200: { description: 'The packages, and how they differ', schema: PackageComparison },
          404: { description: 'One of the packages does not exist' },
        },
        detail: { tags: ['Packages'], summary: 'Two to four packages side by side' },
      },
    )
    .get(
      '/:id',
      async function getOnePackage({ params }) {
        return json(await getPackage(deps, params.id))
      },
      {
        access,
        params: PackageParams,
        answers: { 200: { description: 'The package', schema: Package }, 404: { description: 'No such package' } },
        detail: { tags: ['Packages'], summary: 'One package, by id or sku' },
      },
    )
