// What a marketplace says of itself, everywhere where it has to say who it is.
import { type Static, Type } from '@sinclair/typebox'

import { MINIMUM_PAYMENT_CENTS } from '../../../platform/schema/money.ts'
import { Decimal, Integer } from '../../../platform/schema/numbers.ts'
import { Email, Line, Nullable, OneOf, Text } from '../../../platform/schema/types.ts'
import { COUNTRIES, type Country } from '../../../platform/text/region.ts'
import { MAX_FILE_BYTES } from '../../../platform/storage/storage.ts'
import type { BrandPicture } from '../brand-pictures/schemas.ts'
import type { LegalTexts } from '../legal-texts/schemas.ts'

/** The fields, as a form and a file name them. */
export const FIELDS = {
  name: Line(60, { minLength: 1 }),
  /** One sentence, below the heading of the first page. */
  tagline: Line(160),
  /** Whom people write to and call. */
  email: Email(),
  phone: Line(50),
  /** The postal address, in lines. */
  address: Text(500),
  /** The colour of links and buttons. */
  accent: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#1b5a9e'] }),
  /** Decides currency, distances, postal codes and places. */
  country: OneOf(COUNTRIES),
} as const

export const MAX_CIRCLES = 20
export const MAX_CIRCLE_MILES = 500

/** A place and the distance around it, in miles. */
export interface Circle {
  readonly place: string
  readonly latitude: number
  readonly longitude: number
  readonly radiusMiles: number
}

/** Without a position it is that of the place's name. */
export const FileCircle = Type.Object(
  {
    place: Line(200, { minLength: 1 }),
    radiusMiles: Decimal({ minimum: 0.6, maximum: MAX_CIRCLE_MILES }),
    latitude: Type.Optional(Decimal({ minimum: -90, maximum: 90 })),
    longitude: Type.Optional(Decimal({ minimum: -180, maximum: 180 })),
  },
  { additionalProperties: false },
)
export type FileCircle = Static<typeof FileCircle>
/** The highest fee that a booking takes, in cents. */
export const MAX_FEE_CENTS = 100_000

/** When reviews are published: each after a moderator has read it, or those that are verified at once. */
export const REVIEW_POLICIES = ['read_first', 'verified_at_once'] as const
export type ReviewPolicy = (typeof REVIEW_POLICIES)[number]

/** What holds for what is agreed from now on: columns of `marketplace_versions`, whose checks repeat the bounds. */
export const DEFAULTS = {
  /** How far around a place pages and tools search. In miles, of which a country with kilometres has fractions. */
  radiusMiles: Decimal({ minimum: 1, maximum: 500 }),
  /** Of a booking, besides a deposit: 0 for none. */
  feeCents: Type.Union([Type.Literal(0), Integer({ minimum: MINIMUM_PAYMENT_CENTS, maximum: MAX_FEE_CENTS })]),
  /** The smallest and the largest deposit that a pro may ask for, in percent of the price. */
  minDepositPercentage: Decimal({ minimum: 0.01, maximum: 100 }),
  maxDepositPercentage: Decimal({ minimum: 0.01, maximum: 100 }),
  /** Before the start of a visit. */
  freeCancellationHours: Integer({ minimum: 0, maximum: 168 }),
  /** How long a booking waits for its payment. */
  holdMinutes: Integer({ minimum: 5, maximum: 1440 }),
  /** Whether pros may ask to join; otherwise they are invited. */
  prosMayJoin: Type.Boolean(),
  reviewPolicy: OneOf(REVIEW_POLICIES),
  /** Whether operators without a second factor set one up before they do anything else. */
  operatorsNeedFactor: Type.Boolean(),
} as const

/** A picture within the file, so that it is whole wherever it is copied to. */
const PictureUrl = Type.String({
  pattern: '^data:image/(png|jpeg|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$',
  maxLength: Math.ceil(MAX_FILE_BYTES / 3) * 4 + 50,
})

const { name, country, ...others } = FIELDS
const optional = <Schema extends (typeof others)[keyof typeof others]>(schema: Schema) =>
  Type.Optional(Nullable(schema))

/** As `hearth marketplace export` writes it. What a file leaves out stays as it is; null removes it. */
export const MarketplaceFile = Type.Object(
  {
    name: Type.Optional(name),
    tagline: optional(others.tagline),
    email: optional(others.email),
    phone: optional(others.phone),
    address: optional(others.address),
    accent: optional(others.accent),
    country: Type.Optional(country),
    logo: Type.Optional(Nullable(PictureUrl)),
    icon: Type.Optional(Nullable(PictureUrl)),
    area: Type.Optional(Type.Array(FileCircle, { maxItems: MAX_CIRCLES })),
    ...Type.Partial(Type.Object(DEFAULTS)).properties,
  },
  { additionalProperties: false },
)
export type MarketplaceFile = Static<typeof MarketplaceFile>

export interface MarketplaceTexts {
  readonly name: string
  readonly tagline: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly address: string | null
  /** Such as `#1b5a9e`; null for the software's own. */
  readonly accent: string | null
  readonly country: Country
  /** Shown instead of the name at the top of pages and messages. */
  readonly logo: BrandPicture | null
  /** Shown instead of the drawn mark. */
  readonly icon: BrandPicture | null
  /** Where it serves; empty for everywhere. */
  readonly area: readonly Circle[]
}

export interface MarketplaceDefaults {
  readonly radiusMiles: number
  readonly feeCents: number
  readonly minDepositPercentage: number
  readonly maxDepositPercentage: number
  readonly freeCancellationHours: number
  readonly holdMinutes: number
  readonly prosMayJoin: boolean
  readonly reviewPolicy: ReviewPolicy
  readonly operatorsNeedFactor: boolean
}

/** What operators save as one version. */
export interface MarketplaceVersion extends MarketplaceTexts, MarketplaceDefaults {
  /** The number of the version; 0 before an operator has saved one. */
  readonly version: number
  /** Whether visitors see the marketplace; otherwise that it opens soon. */
  readonly isOpen: boolean
}

/** Until an operator chooses otherwise. */
export const USUAL: MarketplaceDefaults = Object.freeze({
  radiusMiles: 25,
  feeCents: 500,
  minDepositPercentage: 0.01,
  maxDepositPercentage: 100,
  freeCancellationHours: 24,
  holdMinutes: 15,
  prosMayJoin: false,
  reviewPolicy: 'read_first',
  operatorsNeedFactor: false,
})
export interface Marketplace extends MarketplaceVersion {
  /** Its own terms, privacy policy and imprint. */
  readonly legal: LegalTexts
}

/** Until an operator gives it a name of its own. */
export const UNNAMED: Marketplace = Object.freeze({
  ...USUAL,
  version: 0,
  isOpen: true,
  name: 'Hearth',
  tagline: null,
  email: null,
  phone: null,
  address: null,
  accent: null,
  country: 'US',
  logo: null,
  icon: null,
  area: [],
  legal: {},
})

/** What there is of what a marketplace needs before it opens. */
export interface LaunchFacts {
  readonly services: number
  readonly cities: number
  /** Active ones that offer something. */
  readonly pros: number
  /** Those who have logged in. */
  readonly operators: number
  readonly isArchiving: boolean
  /** Null before PostgreSQL has archived anything. */
  readonly archivedSeconds: number | null
  readonly isFailing: boolean
}

export interface FirstPro {
  readonly id: string
  readonly slug: string
  readonly businessName: string
  readonly services: number
  /** Those of them that customers book online. */
  readonly bookable: number
}

/** A booking under the address of an operator. */
export interface TestBooking {
  readonly id: string
  readonly startsAt: string
  /** Of the pro. */
  readonly timeZone: string
  readonly service: string
  readonly businessName: string
  readonly email: string
  readonly isComing: boolean
}
