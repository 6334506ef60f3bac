// confirm_action: POST /pro/proposals/{id}/confirm for a model.
import { Type } from '@sinclair/typebox'

import { confirmProposal, getProposal } from '../../features/agents/proposals/verbs/proposals.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'
import { ProposalResult, proposalResult } from './brief-proposal.ts'

export const confirmAction = defineProTool({
  name: 'confirm_action',
  title: 'Confirm a proposal',
  description:
    'Apply an open proposal, only after the pro agreed to its differences. proposal_conflict: the content has changed; read it again and make a new proposal.',
  access: 'write',
  hints: { destructive: true, idempotent: true, openWorld: true },
  idempotent: true,
  input: Type.Object({ proposalId: Uuid() }, { additionalProperties: false }),
  output: ProposalResult,
  askBefore: async (ctx, { proposalId }) => {
    const { status, summary } = await getProposal(ctx, { id: proposalId })
    return status === 'open' ? `Apply this change? ${summary}` : undefined
  },
  call: async (ctx, { proposalId }) => proposalResult(await confirmProposal(ctx, { id: proposalId })),
})
