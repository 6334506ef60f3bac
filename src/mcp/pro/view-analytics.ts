// view_analytics: GET /pro/analytics for a model, without the series.
import { Type } from '@sinclair/typebox'

import { Analytics, AnalyticsQuery } from '../../features/business/analytics/schemas.ts'
import { getAnalytics } from '../../features/business/analytics/verbs.ts'
import { defineProTool } from '../server/tool.ts'

const MAX_SERVICES = 5

const { series: _, granularity: _granularity, currency: _currency, ...analyticsFields } = Analytics.properties

export const viewAnalytics = defineProTool({
  name: 'view_analytics',
  title: 'View analytics',
  description:
    'Your business figures: bookings, jobs, visits, revenue in US dollars, leads, quotes, reviews, best services.',
  access: 'read',
  input: Type.Object({ period: AnalyticsQuery.properties.period }, { additionalProperties: false }),
  output: Type.Object({ analytics: Type.Object(analyticsFields) }),
  call: async (ctx, query) => {
    const analytics = JSON.parse(await getAnalytics(ctx, query)) as Analytics
    const { series: _series, granularity: _unit, currency: _usd, ...rest } = analytics
    return { analytics: { ...rest, services: rest.services.slice(0, MAX_SERVICES) } }
  },
})
