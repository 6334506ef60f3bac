// The shapes of pros: search results, detail and public profile. Spec §2 and §4.1.
import { type Static, Type } from '@sinclair/typebox'

import { Decimal, Integer, Natural } from '../../../platform/schema/numbers.ts'
import { Price } from '../../../platform/schema/price.ts'
import { CalendarDate, Instant, Name, Nullable, QueryValue, Uri } from '../../../platform/schema/types.ts'
import { CatalogRef, Suggestions, Understood } from '../../catalog/services/schemas.ts'
import { Review, ReviewStats, ScoreBreakdown, ScoreCounts } from '../../reviews/reviews/schemas.ts'
import { BusinessFacts, PublicTexts, SiteConfig } from '../../business/storefront/schemas.ts'
import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'

export const Location = Type.Object(
  { city: Type.String(), state: Type.String(), latitude: Type.Number(), longitude: Type.Number() },
  { $id: 'Location' },
)

const OfferBooking = Type.Object({
  durationMinutes: Nullable(Natural()),
  instantBookEnabled: Type.Boolean({ description: 'Whether it can be booked at once; if not, ask for a quote' }),
  deposit: Type.Optional(
    Type.Number({ description: 'Paid when booking, in dollars; left out by pros who take no deposit' }),
  ),
})

export const VerificationDetails = Type.Object(
  { backgroundCheck: Type.Boolean(), insurance: Type.Boolean(), credentials: Type.Boolean() },
  { description: 'What an operator has checked. What the pro declares is no part of it' },
)

/** Changing the name withdraws it: sql/functions/checked_marks.sql. */
const verified = Type.Boolean({ description: 'An operator has checked the business of this name' })

const MatchedService = Type.Object(
  { ...CatalogRef.properties, pricing: Price, booking: OfferBooking },
  { $id: 'MatchedService' },
)
export type MatchedService = Static<typeof MatchedService>

export const Professional = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    businessName: Type.String(),
    description: Nullable(Type.String()),
    verified,
    verificationDetails: VerificationDetails,
    rating: Nullable(Type.Number()),
    reviewCount: Natural(),
    categories: Type.Array(Type.String()),
    services: Type.Array(CatalogRef),
    pricing: Nullable(Type.Object({ min: Type.Number(), max: Type.Number(), currency: Type.String() }), {
      description: 'The range of the pro’s prices per visit; null without such prices',
    }),
    location: Nullable(Location),
    distance: Nullable(Type.Number({ description: 'Miles from the search point' })),
    serviceRadius: Natural({ description: 'How far the pro travels to customers, in miles' }),
    inServiceArea: Nullable(Type.Boolean(), {
      description:
        'Whether the search point, or the center of a `city` or `place`, is within the pro’s `serviceRadius`; null when the search names no such place',
    }),
    instantBookingEnabled: Type.Boolean({ description: 'Whether one of the pro’s services can be booked at once' }),
    matchedService: Nullable(MatchedService, {
      description: 'The service of the query, as this pro offers it; null without one',
    }),
    profileUrl: Uri(),
    bookingUrl: Nullable(Uri(), {
      description:
        'The page that books the service of the query, or without one, any service (of the category); null when nothing of that can be booked at once',
    }),
  },
  { $id: 'Professional' },
)
export type Professional = Static<typeof Professional>

export const SearchMeta = Type.Object(
  {
    ...PageMeta.properties,
    understood: Type.Optional(Understood),
    suggestions: Type.Optional(Suggestions),
  },
  { $id: 'SearchMeta' },
)
export type SearchMeta = Static<typeof SearchMeta>

export const ProfessionalsPage = Type.Object(
  { professionals: Type.Array(Professional), meta: SearchMeta },
  { $id: 'ProfessionalsPage' },
)

const RADIUS_MILES = { minimum: 1, maximum: 500 }
/** That of the API, which programs rely on (section 4 of the specification). Pages and tools search as the marketplace chose. */
export const DEFAULT_RADIUS_MILES = 25

export const ProsQuery = Type.Object({
  q: Type.Optional(
    Name({
      description:
        'What a person typed, instead of the next five: a service, trade or problem, and a place. Misspelled words are corrected; `meta.understood` says how the words were read.',
      examples: ['sink is leaking austin tx', 'plomero miami'],
    }),
  ),
  service: Type.Optional(
    Name({
      description: 'A service or trade: id, slug, name, plural or synonym, such as `maid` or `HVAC`, or a problem',
      examples: ['drain-cleaning'],
    }),
  ),
  category: Type.Optional(Name({ description: 'A category by name, slug, id or synonym', examples: ['plumbing'] })),
  place: Type.Optional(
    Name({
      description:
        'ZIP code (25 miles around it), city (its pros; with none, 25 miles around it), county or region (the pros of its cities) or state',
      examples: ['78701', 'Austin, TX'],
    }),
  ),
  city: Type.Optional(Name({ description: 'With or without its state', examples: ['Austin'] })),
  state: Type.Optional(Name({ description: 'Code (`TX`) or name', examples: ['TX'] })),
  lat: QueryValue(Type.Optional(Decimal({ minimum: -90, maximum: 90, description: 'Latitude; requires `lng`' }))),
  lng: QueryValue(Type.Optional(Decimal({ minimum: -180, maximum: 180, description: 'Longitude; requires `lat`' }))),
  radius: Type.Optional(
    Integer({
      ...RADIUS_MILES,
      description:
        'Miles around the point or ZIP code (default 25); with a city or region and no point, around its center',
    }),
  ),
  verified: QueryValue(
    Type.Optional(Type.Boolean({ description: 'Only verified (true) or only unverified (false) pros' })),
  ),
  instantBook: QueryValue(
    Type.Optional(
      Type.Boolean({
        description:
          'Only pros with whom the service, or without one, any service (of the category) can (true) or cannot (false) be booked at once',
      }),
    ),
  ),
  inServiceArea: QueryValue(
    Type.Optional(
      Type.Boolean({
        description:
          'true: only pros who come to the place, which is within their own `serviceRadius`. Otherwise each result says it. Without a point, ZIP code or city it has no effect',
      }),
    ),
  ),
  ...pageParameters,
})
export type ProsQuery = Static<typeof ProsQuery>

export const ProParams = Type.Object({ id: Name({ description: 'A pro’s id or slug' }) })

const ServiceOffer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    description: Nullable(Type.String()),
    pricing: Price,
    booking: OfferBooking,
    atCustomer: Type.Boolean({ description: 'Done at the customer’s, so that a booking needs an address' }),
  },
  { $id: 'ServiceOffer' },
)

export const ProfessionalDetail = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    businessName: Type.String(),
    description: Nullable(Type.String()),
    verified,
    verificationDetails: VerificationDetails,
    contact: Type.Object({ website: Nullable(Type.String()), phone: Nullable(Type.String()) }),
    location: Nullable(Location),
    serviceRadius: Natural({ description: 'Miles' }),
    yearsOfExperience: Nullable(Natural()),
    categories: Type.Array(Type.String()),
    services: Type.Array(ServiceOffer),
    reviews: Type.Object({
      stats: Type.Object({ count: Natural(), average: Type.Number(), breakdown: ScoreBreakdown, scored: ScoreCounts }),
      recent: Type.Array(
        Type.Object({
          id: Type.String(),
          rating: Natural(),
          title: Nullable(Type.String()),
          content: Nullable(Type.String()),
          date: Instant(),
        }),
      ),
    }),
    booking: Type.Object({
      instantBookingEnabled: Type.Boolean({ description: 'Whether at least one service can be booked at once' }),
      leadTimeHours: Natural(),
      bufferMinutes: Natural(),
      defaultSlotMinutes: Natural(),
      depositRequired: Type.Boolean(),
      depositPercentage: Nullable(Type.Number()),
    }),
  },
  { $id: 'ProfessionalDetail' },
)
export type ProfessionalDetail = Static<typeof ProfessionalDetail>

const Intervals = Type.Array(Type.Object({ start: Type.String(), end: Type.String() }))

export const PublicProfile = Type.Object(
  {
    ...ProfessionalDetail.properties,
    timezone: Type.String({ description: 'IANA time zone of the business hours' }),
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
      { description: 'By weekday; empty when closed' },
    ),
    acceptsEmergency: Type.Boolean(),
    memberSince: CalendarDate(),
    ...PublicTexts.properties,
    business: BusinessFacts,
    site: SiteConfig,
    counts: Type.Object({
      services: Natural(),
      completedBookings: Natural(),
      completedJobs: Natural(),
      reviews: Natural(),
    }),
    ratingDistribution: ReviewStats.properties.distribution,
    recentReviews: Type.Array(Review, { description: 'The ten latest reviews' }),
    profileUrl: Uri(),
    bookingUrl: Nullable(Uri(), { description: 'Null when no service of the pro can be booked at once' }),
  },
  { $id: 'PublicProfile' },
)
export type PublicProfile = Static<typeof PublicProfile>

export const PublicProfileParams = Type.Object({ profileId: Name({ description: 'A pro’s id or slug' }) })
