// dismiss_action: POST /pro/proposals/{id}/dismiss for a model.
import { Type } from '@sinclair/typebox'

import { dismissProposal } from '../../features/agents/proposals/verbs/proposals.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'
import { ProposalResult, proposalResult } from './brief-proposal.ts'

export const dismissAction = defineProTool({
  name: 'dismiss_action',
  title: 'Dismiss a proposal',
  description: 'Dismiss an open proposal that the pro does not want.',
  access: 'write',
  hints: { destructive: false, idempotent: true, openWorld: false },
  idempotent: true,
  input: Type.Object({ proposalId: Uuid() }, { additionalProperties: false }),
  output: ProposalResult,
  call: async (ctx, { proposalId }) => proposalResult(await dismissProposal(ctx, { id: proposalId })),
})
