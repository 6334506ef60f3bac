// update_public_profile: proposes what PATCH /pro/public-profile does.
import { PublicTextsChange } from '../../features/storefront/schemas.ts'
import { defineEditingTool } from './brief-proposal.ts'

export const updatePublicProfile = defineEditingTool({
  name: 'update_public_profile',
  title: 'Edit the public profile',
  description: 'Propose the texts of your public page. Lists are given whole.',
  flags: ['FEATURE_PRO_AGENT_PROFILE_DRAFTS'],
  input: PublicTextsChange,
  wish: (change) => ({ kind: 'public_profile', change }),
})
