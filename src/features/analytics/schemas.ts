// The shape of a pro's figures. Spec §4.6 names the route and its periods; the rest is ours.
import { type Static, Type } from '@sinclair/typebox'

import { CalendarDate, Nullable, OneOf } from '../../platform/schema/types.ts'

export const PERIODS = ['7d', '30d', '90d', '1y', 'all'] as const

export const AnalyticsQuery = Type.Object({
  period: Type.Optional(
    OneOf(PERIODS, {
      default: '30d',
      description: 'Days of the pro’s calendar, today being the last; `all` begins on the day of the first event',
    }),
  ),
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

const Count = Type.Integer({ minimum: 0 })
const Dollars = (description?: string) => Type.Number({ minimum: 0, ...(description ? { description } : {}) })

export const Analytics = Type.Object(
  {
    period: OneOf(PERIODS),
    timezone: Type.String({ description: 'Whose midnights divide the days' }),
    from: CalendarDate(),
    to: CalendarDate(),
    granularity: OneOf(['day', 'month'], { description: 'Of `series`: months for `all` when that is over a year' }),
    currency: Type.String(),
    bookings: Type.Object(
      { total: Count, pending: Count, confirmed: Count, completed: Count, noShow: Count, cancelled: Count },
      { description: 'Made in the period, by the status they have now' },
    ),
    jobs: Type.Object({ completed: Count }),
    revenue: Type.Object({
      total: Dollars(),
      jobs: Dollars('Of jobs that were completed in the period'),
      deposits: Dollars('Of deposits on bookings that were paid in the period and not given back'),
    }),
    rfqs: Type.Object({ total: Count, unanswered: Count }),
    quotes: Type.Object({
      sent: Count,
      sentAmount: Dollars(),
      accepted: Type.Integer({ minimum: 0, description: 'Accepted in the period, whenever they were sent' }),
      acceptedAmount: Dollars(),
      acceptanceRate: Nullable(
        Type.Number({ minimum: 0, maximum: 1, description: 'Of the quotes sent in the period, how many are accepted' }),
      ),
    }),
    reviews: Type.Object(
      { total: Count, average: Nullable(Type.Number()) },
      { description: 'Published in the period' },
    ),
    services: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        bookings: Count,
        completedJobs: Count,
        rfqs: Count,
        revenue: Dollars(),
      }),
      { description: 'Up to ten, the one that earned most first' },
    ),
    series: Type.Array(
      Type.Object({
        date: CalendarDate({ description: 'The day, or the first of the month' }),
        bookings: Count,
        completedJobs: Count,
        revenue: Dollars(),
        rfqs: Count,
        quotesSent: Count,
        quotesAccepted: Count,
        reviews: Count,
      }),
      { description: 'Every day (or month) of the period, in order' },
    ),
  },
  { $id: 'Analytics' },
)
export type Analytics = Static<typeof Analytics>
