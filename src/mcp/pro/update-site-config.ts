// update_site_config: proposes what PATCH /pro/site-config does.
import { SiteConfigChange } from '../../features/storefront/schemas.ts'
import { defineEditingTool } from './brief-proposal.ts'

export const updateSiteConfig = defineEditingTool({
  name: 'update_site_config',
  title: 'Edit the site',
  description: 'Propose color, opening texts, main button or sections of your public page.',
  flags: ['FEATURE_PRO_AGENT_PROFILE_DRAFTS'],
  input: SiteConfigChange,
  wish: (change) => ({ kind: 'site_config', change }),
})
