// Shapes of proposals and their changes.
import { type Static, Type } from '@sinclair/typebox'

import { Instant, Nullable, OneOf, Uuid } from '../../../platform/schema/types.ts'
import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'
import { OfferChange } from '../../business/offers/schemas.ts'
import { NewBlock, ScheduleChange } from '../../calendar/schedule/schemas.ts'
import { PROPOSAL_STATES } from './states.ts'

export const PROPOSAL_KINDS = [
  'quote_content',
  'service_pricing',
  'service_content',
  'business_profile',
  'public_profile',
  'business_entity',
  'site_config',
  'availability',
] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

export const Difference = Type.Object(
  {
    field: Type.String(),
    before: Type.Unknown({ description: 'The value when the change was proposed' }),
    after: Type.Unknown({ description: 'The value after the change' }),
  },
  { $id: 'Difference' },
)
export type Difference = Static<typeof Difference>

const offer = OfferChange.properties

/** The price of an offer. */
export const ServicePricingChange = Type.Object(
  {
    priceType: offer.priceType,
    unit: offer.unit,
    basePrice: offer.basePrice,
    minPrice: offer.minPrice,
    maxPrice: offer.maxPrice,
  },
  { additionalProperties: false },
)

/** The content of an offer, and its package. */
export const ServiceContentChange = Type.Object(
  {
    description: offer.description,
    durationMinutes: offer.durationMinutes,
    packageKind: offer.packageKind,
    packageName: offer.packageName,
    packagePrice: offer.packagePrice,
    includes: offer.includes,
    cadence: offer.cadence,
    bedrooms: offer.bedrooms,
    bathrooms: offer.bathrooms,
  },
  { additionalProperties: false },
)

const { businessHours, bookingLeadTimeHours, bookingBufferMinutes } = ScheduleChange.properties

/** Business hours, and times in which nothing is booked. */
export const AvailabilityChange = Type.Object(
  {
    businessHours,
    bookingLeadTimeHours,
    bookingBufferMinutes,
    block: Type.Optional(
      Type.Object(NewBlock.properties, { additionalProperties: false, description: 'A time to block' }),
    ),
    unblockId: Type.Optional(Uuid({ description: 'A block to remove' })),
  },
  { additionalProperties: false },
)

const kind = OneOf(PROPOSAL_KINDS, { description: 'The edited content' })
const status = OneOf(PROPOSAL_STATES)
const NullableId = Nullable(Type.String())

export const Proposal = Type.Object(
  {
    id: Type.String(),
    kind,
    status,
    target: Type.Object({
      type: OneOf(['quote', 'service', 'professional']),
      id: Type.String(),
      name: Nullable(Type.String({ description: 'The name of the service, for an offer or a quote' })),
    }),
    summary: Type.String({ description: 'The change in one line' }),
    differences: Type.Array(Difference),
    madeBy: Type.Object({ keyId: NullableId, runId: NullableId, threadId: NullableId }),
    createdAt: Instant(),
    expiresAt: Instant(),
    confirmedAt: Nullable(Instant()),
    dismissedAt: Nullable(Instant()),
    conflictedAt: Nullable(Instant()),
    conflict: Nullable(
      Type.Object({
        reason: Type.String(),
        fields: Type.Array(Type.String(), { description: 'The fields that changed after the proposal' }),
      }),
      { description: 'Why it could not be applied' },
    ),
  },
  { $id: 'Proposal' },
)
export type Proposal = Static<typeof Proposal>

export const ProposalAnswer = Type.Object({ proposal: Proposal }, { $id: 'ProposalAnswer' })

export const ProposalList = Type.Object({ proposals: Type.Array(Proposal), meta: PageMeta }, { $id: 'ProposalList' })
export type ProposalList = Static<typeof ProposalList>

export const ProposalsQuery = Type.Object({
  status: Type.Optional(status),
  kind: Type.Optional(kind),
  ...pageParameters,
})
export type ProposalsQuery = Static<typeof ProposalsQuery>

export const ProposalParams = Type.Object({ id: Uuid() })
