// update_business_entity: proposes what PATCH /pro/business-entity does.
import { BusinessEntityChange } from '../../features/storefront/schemas.ts'
import { defineEditingTool } from './brief-proposal.ts'

export const updateBusinessEntity = defineEditingTool({
  name: 'update_business_entity',
  title: 'Edit the business entity',
  description: 'Propose legal name, license, insurance or contact of the business.',
  flags: ['FEATURE_PRO_AGENT_PROFILE_DRAFTS'],
  input: BusinessEntityChange,
  wish: (change) => ({ kind: 'business_entity', change }),
})
