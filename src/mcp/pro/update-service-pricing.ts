// update_service_pricing: proposes prices as PATCH /api/pro/services sets them.
import { Type } from '@sinclair/typebox'

import { ServicePricingChange } from '../../features/proposals/schemas.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineEditingTool } from './brief-proposal.ts'

export const updateServicePricing = defineEditingTool({
  name: 'update_service_pricing',
  title: 'Edit a price',
  description: 'Propose prices, in US dollars, of a service from list_services.',
  input: Type.Object({ serviceId: Uuid(), ...ServicePricingChange.properties }, { additionalProperties: false }),
  wish: ({ serviceId, ...change }) => ({ kind: 'service_pricing', targetId: serviceId, change }),
})
