// The shapes of proposals: what would change, what it was, and what became of it.
import { type Static, Type } from '@sinclair/typebox'

import { Instant, Nullable, OneOf, Uuid } from '../../platform/schema/types.ts'
import { PageMeta, pageParameters } from '../../platform/schema/paging.ts'
import { OfferChange } from '../offers/schemas.ts'
import { PROPOSAL_STATES } from './states.ts'

/** By their editors. */
export const PROPOSAL_KINDS = [
  'quote_content',
  'service_pricing',
  'service_content',
  'business_profile',
  'public_profile',
  'business_entity',
  'site_config',
] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

export const Difference = Type.Object(
  {
    field: Type.String(),
    before: Type.Unknown({ description: 'What it was when the change was proposed' }),
    after: Type.Unknown({ description: 'What it becomes, or became' }),
  },
  { $id: 'Difference' },
)
export type Difference = Static<typeof Difference>

const offer = OfferChange.properties

/** Of an offer, what it costs. */
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

/** Of an offer, what it is, and the package made of it. */
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

const kind = OneOf(PROPOSAL_KINDS, { description: 'What is edited' })
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
      name: Nullable(Type.String({ description: 'The service’s, of an offer or a quote' })),
    }),
    summary: Type.String({ description: 'The change in a line' }),
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
        fields: Type.Array(Type.String(), { description: 'Those that have changed since' }),
      }),
      { description: 'Why it could not be applied any more' },
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
