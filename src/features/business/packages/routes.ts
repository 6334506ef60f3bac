// GET /packages, /packages/compare, /packages/{id}: behind FEATURE_OFFER_PACKAGES.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { CompareQuery, Package, PackageComparison, PackageParams, PackagesPage, PackagesQuery } from './schemas.ts'
import { comparePackages, getPackage, listPackages } from './verbs/packages.ts'

const scopes = ['packages:read'] as const

export const packageRoutes = (deps: Deps) =>
  new Elysia({ name: 'packages', prefix: '/packages' })
    .use(guard(deps))
    .get(
      '',
      async function getPackages({ ctx, query }) {
        return await listPackages(ctx, query)
      },
      {
        withKey: scopes,
        query: PackagesQuery,
        response: { 200: returns('One page of packages, cheapest first', PackagesPage) },
        detail: { tags: ['Packages'], summary: 'Packages: services at a fixed price' },
      },
    )
    .get(
      '/compare',
      async function getPackageComparison({ ctx, query }) {
        return await comparePackages(ctx, { ids: query.ids })
      },
      {
        withKey: scopes,
        query: CompareQuery,
        response: {
          200: returns('The packages, and how they differ', PackageComparison),
          ...problems({ 404: 'One of the packages does not exist' }),
        },
        detail: { tags: ['Packages'], summary: 'Two to four packages side by side' },
      },
    )
    .get(
      '/:id',
      async function getOnePackage({ ctx, params }) {
        return await getPackage(ctx, { name: params.id })
      },
      {
        withKey: scopes,
        params: PackageParams,
        response: { 200: returns('The package', Package), ...problems({ 404: 'No such package' }) },
        detail: { tags: ['Packages'], summary: 'One package, by id or sku' },
      },
    )
