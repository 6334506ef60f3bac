// confirm_action: POST /pro/proposals/{id}/confirm for a model.
import { Type } from '@sinclair/typebox'

import { confirmProposal } from '../../features/proposals/verbs/proposals.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'
import { BriefProposal, briefProposal } from './brief-proposal.ts'

export const confirmAction = defineProTool({
  name: 'confirm_action',
  title: 'Confirm a proposal',
  description:
    'Apply an open proposal, only when the pro has said yes to its differences. proposal_conflict: what it edits has changed; read it anew and propose again.',
  access: 'write',
  hints: { destructive: true },
  idempotent: true,
  input: Type.Object({ proposalId: Uuid() }, { additionalProperties: false }),
  output: Type.Object({ proposal: BriefProposal }),
  call: async (deps, pro, { proposalId }, { idempotency }) => {
    const { value, replayed } = await confirmProposal(deps, pro, proposalId, idempotency)
    return { value: { proposal: briefProposal(value) }, replayed }
  },
})
