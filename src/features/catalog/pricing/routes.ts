// GET /pricing.
import { Elysia } from 'elysia'

import { type Deps, oncePerDeps } from '../../../deps.ts'
import { publicRead } from '../../../auth/access.ts'
import { guard } from '../../../http/guard.ts'
import { NOT_MODIFIED, problems, returns } from '../../../http/responses.ts'
import { ResponseCache } from '../../../http/response-cache.ts'
import { PRICES_THAT_COUNT } from './rules/price-eligibility.ts'
import { PricingQuery, PricingResult } from './schemas.ts'
import { getPricing } from './verbs.ts'

const cacheOf = oncePerDeps(
  ({ notifications }) =>
    new ResponseCache(notifications, { name: 'prices', channels: ['pricing_changed', 'catalog_names_changed'] }),
)

export const pricingRoutes = (deps: Deps) =>
  new Elysia({ name: 'pricing' }).use(guard(deps)).get(
    '/pricing',
    function getServicePricing({ ctx, request, query }) {
      return cacheOf(ctx).respond(request, [query.service, query.city, query.state], () => getPricing(ctx, query))
    },
    {
      access: { ...publicRead('pricing:read', 'widget:public'), requiredQuery: ['service'] },
      query: PricingQuery,
      response: {
        200: returns('The statistics, or null when there are too few prices', PricingResult),
        304: NOT_MODIFIED,
        ...problems({ 404: 'No such service' }),
      },
      detail: {
        tags: ['Pricing'],
        summary: 'Price statistics of a service, from real listings, quotes and projects',
        description: PRICES_THAT_COUNT,
      },
    },
  )
