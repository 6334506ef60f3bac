// The routes /platform/marketplace: what the marketplace says of itself, and what holds in it.
import { Elysia } from 'elysia'

import type { Deps } from '../../../../deps.ts'
import { guard } from '../../../../http/guard.ts'
import { problems, returns } from '../../../../http/responses.ts'
import { MarketplaceChange, PlatformMarketplace } from '../schemas.ts'
import { changeMarketplaceAsOperator, readMarketplaceAsOperator } from '../verbs/marketplace.ts'

const tags = ['Platform marketplace']

export const operatorMarketplaceRoutes = (deps: Deps) =>
  new Elysia({ name: 'operator-marketplace', prefix: '/platform/marketplace' })
    .use(guard(deps))
    .get(
      '',
      async function getPlatformMarketplace({ ctx }) {
        return await readMarketplaceAsOperator(ctx)
      },
      {
        operatorKey: 'platform:read',
        response: { 200: returns('The version in use', PlatformMarketplace) },
        detail: { tags, summary: 'Get what the marketplace says of itself, and what holds in it' },
      },
    )
    .patch(
      '',
      async function patchPlatformMarketplace({ ctx, body }) {
        return await changeMarketplaceAsOperator(ctx, body)
      },
      {
        operatorKey: 'platform:write',
        body: MarketplaceChange,
        response: {
          200: returns('The next version', PlatformMarketplace),
          ...problems({ 409: 'The marketplace has another `version` by now' }),
        },
        detail: {
          tags,
          summary: 'Name, change, open or close the marketplace',
          description:
            'What the body leaves out stays as it is; null removes it. Pages, messages and agent servers follow within a second; bookings and quotes keep what they were made with.',
        },
      },
    )
