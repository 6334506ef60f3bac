// list_services: GET /pro/services for a model.
import { type Static, Type } from '@sinclair/typebox'

import { Package } from '../../features/business/packages/schemas.ts'
import { Offer } from '../../features/business/offers/schemas.ts'
import { listOffers } from '../../features/business/offers/verbs.ts'
import { Nullable } from '../../platform/schema/types.ts'
import { pick, truncate } from '../server/results.ts'
import { defineProTool } from '../server/tool.ts'

const MAX_DESCRIPTION = 200

const { slug: _, package: _package, ...offerFields } = Offer.properties
const { kind, name, price, includes, cadence, bedrooms, bathrooms } = Package.properties
const BriefPackage = Type.Object({ kind, name, price, includes, cadence, bedrooms, bathrooms })
const BriefOffer = Type.Object({
  ...offerFields,
  package: Nullable(BriefPackage),
})

export const listServices = defineProTool({
  name: 'list_services',
  title: 'List services',
  description:
    'The services you offer, with prices, durations and packages. Next: update_service_pricing or update_service_content.',
  access: 'read',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ services: Type.Array(BriefOffer) }),
  call: async (ctx) => ({ services: (await listOffers(ctx)).services.map(brief) }),
})

const brief = ({ slug: _slug, package: it, description, ...offer }: Offer): Static<typeof BriefOffer> => ({
  ...offer,
  description: description && truncate(description, MAX_DESCRIPTION),
  package: it && pick(BriefPackage, it),
})
