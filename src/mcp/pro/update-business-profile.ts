// update_business_profile: proposes what PATCH /pro/profile does.
import { ProfileChange } from '../../features/profile/schemas.ts'
import { defineEditingTool } from './brief-proposal.ts'

export const updateBusinessProfile = defineEditingTool({
  name: 'update_business_profile',
  title: 'Edit the business profile',
  description: 'Propose name, description, service radius or emergency work, as search shows them.',
  input: ProfileChange,
  wish: (change) => ({ kind: 'business_profile', change }),
})
