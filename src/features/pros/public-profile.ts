// The shape of a pro's public page: the detail, and what else a visitor wants to know before they call.
import { type Static, Type } from '@sinclair/typebox'

import { CalendarDate, Name, Nullable, Uri } from '../../platform/schema/types.ts'
import { Review, ReviewStats } from '../reviews/schemas.ts'
import { BusinessFacts, PublicTexts, SiteConfig } from '../storefront/schemas.ts'
import { ProfessionalDetail } from './schemas.ts'

const Intervals = Type.Array(Type.Object({ start: Type.String(), end: Type.String() }))

export const PublicProfile = Type.Object(
  {
    ...ProfessionalDetail.properties,
    timezone: Type.String({ description: 'An IANA name; business hours are on this clock' }),
    businessHours: Type.Object(
      {
        monday: Intervals,
        tuesday: Intervals,
        wednesday: Intervals,
        thursday: Intervals,
        friday: Intervals,
        saturday: Intervals,
        sunday: Intervals,
      },
      { description: 'By weekday; a day without intervals is closed' },
    ),
    acceptsEmergency: Type.Boolean(),
    memberSince: CalendarDate(),
    ...PublicTexts.properties,
    business: BusinessFacts,
    site: SiteConfig,
    counts: Type.Object({
      services: Type.Integer(),
      completedBookings: Type.Integer(),
      completedJobs: Type.Integer(),
      reviews: Type.Integer(),
    }),
    ratingDistribution: ReviewStats.properties.distribution,
    recentReviews: Type.Array(Review, { description: 'The ten latest, whole' }),
    profileUrl: Uri(),
    bookingUrl: Nullable(Uri(), { description: 'Null for a pro who does not take instant bookings' }),
  },
  { $id: 'PublicProfile' },
)
export type PublicProfile = Static<typeof PublicProfile>

export const PublicProfileParams = Type.Object({ profileId: Name({ description: 'A pro’s id or slug' }) })
