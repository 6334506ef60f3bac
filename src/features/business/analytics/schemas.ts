// The shape of a pro's analytics. Spec §4.6 names the route and its periods; the rest is ours.
import { type Static, Type } from '@sinclair/typebox'

import { Decimal, Natural } from '../../../platform/schema/numbers.ts'
import { CalendarDate, Nullable, OneOf } from '../../../platform/schema/types.ts'

export const PERIODS = ['7d', '30d', '90d', '1y', 'all'] as const

export const AnalyticsQuery = Type.Object({
  period: Type.Optional(
    OneOf(PERIODS, {
      default: '30d',
      description: 'Days of the pro’s calendar, up to and including today; `all` begins on the day of the first event',
    }),
  ),
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

const Count = Natural()
const Dollars = (description?: string) => Type.Number({ minimum: 0, ...(description ? { description } : {}) })

export const Analytics = Type.Object(
  {
    period: OneOf(PERIODS),
    timezone: Type.String({
      description: 'The time zone in which days begin and end; what happened before the pro changed it keeps its day',
    }),
    from: CalendarDate(),
    to: CalendarDate(),
    granularity: OneOf(['day', 'month'], {
      description: 'Step of `series`: `month` only when `all` covers more than a year',
    }),
    currency: Type.String(),
    bookings: Type.Object(
      { total: Count, pending: Count, confirmed: Count, completed: Count, noShow: Count, cancelled: Count },
      { description: 'Bookings created in the period, by current status' },
    ),
    jobs: Type.Object({ completed: Count }, { description: 'Work of accepted quotes, completed in the period' }),
    visits: Type.Object(
      {
        completed: Count,
        unpriced: Natural({
          description: 'Those that add nothing to the revenue: free, or at a price that is not known to the cent',
        }),
      },
      { description: 'Bookings completed in the period that do not belong to a job' },
    ),
    revenue: Type.Object({
      total: Dollars(),
      jobs: Dollars('From jobs completed in the period, without what went back to customers since'),
      visits: Dollars(
        'From visits completed in the period: the price, or the hourly price for the booked time, without the deposit',
      ),
      deposits: Dollars(
        'From deposits paid in the period: without what went back, and for quotes those kept after a cancellation',
      ),
    }),
    rfqs: Type.Object({ total: Count, unanswered: Count }),
    quotes: Type.Object({
      sent: Count,
      sentAmount: Dollars(),
      accepted: Natural({ description: 'Accepted in the period, regardless of when they were sent' }),
      acceptedAmount: Dollars(),
      acceptanceRate: Nullable(
        Decimal({
          minimum: 0,
          maximum: 1,
          description: 'The share of the quotes sent in the period that are accepted',
        }),
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
        completedVisits: Count,
        rfqs: Count,
        revenue: Dollars(),
      }),
      { description: 'Up to ten services, highest revenue first' },
    ),
    series: Type.Array(
      Type.Object({
        date: CalendarDate({ description: 'The day, or the first day of the month' }),
        bookings: Count,
        completedJobs: Count,
        completedVisits: Count,
        revenue: Dollars(),
        rfqs: Count,
        quotesSent: Count,
        quotesAccepted: Count,
        reviews: Count,
      }),
      { description: 'Every day or month of the period, oldest first' },
    ),
  },
  { $id: 'Analytics' },
)
export type Analytics = Static<typeof Analytics>
