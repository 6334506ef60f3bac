// update_service_content: proposes description and package as PATCH /api/pro/services sets them.
import { Type } from '@sinclair/typebox'

import { ServiceContentChange } from '../../features/proposals/schemas.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineEditingTool } from './brief-proposal.ts'

export const updateServiceContent = defineEditingTool({
  name: 'update_service_content',
  title: 'Edit an offer',
  description: 'Propose the description, duration or fixed-price package of a service from list_services.',
  flags: ['FEATURE_PRO_AGENT_PROFILE_DRAFTS'],
  input: Type.Object({ serviceId: Uuid(), ...ServiceContentChange.properties }, { additionalProperties: false }),
  wish: ({ serviceId, ...change }) => ({ kind: 'service_content', targetId: serviceId, change }),
})
