// GET /pro/analytics.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { jsonText } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
import { Analytics, AnalyticsQuery } from './schemas.ts'
import { getAnalytics } from './verbs.ts'

export const analyticsRoutes = (deps: Deps) =>
  new Elysia({ name: 'analytics' }).use(guard(deps)).get(
    '/pro/analytics',
    async function getProAnalytics({ query, caller }) {
      return jsonText(await getAnalytics(deps, proOf(caller), query))
    },
    {
      access: proKey('pro:read'),
      query: AnalyticsQuery,
      answers: { 200: { description: 'Counts and amounts of the period, and a time series', schema: Analytics } },
      detail: { tags: ['Pro analytics'], summary: 'Analytics of the pro’s business' },
    },
  )
