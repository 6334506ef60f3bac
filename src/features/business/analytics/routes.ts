// GET /pro/analytics.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { returns } from '../../../http/responses.ts'
import { jsonText } from '../../../http/json.ts'
import { Analytics, AnalyticsQuery } from './schemas.ts'
import { getAnalytics } from './verbs.ts'

export const analyticsRoutes = (deps: Deps) =>
  new Elysia({ name: 'analytics' }).use(guard(deps)).get(
    '/pro/analytics',
    async function getProAnalytics({ ctx, query }) {
      return jsonText(await getAnalytics(ctx, query))
    },
    {
      proKey: 'pro:read',
      query: AnalyticsQuery,
      response: { 200: returns('Counts and amounts of the period, and a time series', Analytics) },
      detail: { tags: ['Pro analytics'], summary: 'Analytics of the pro’s business' },
    },
  )
