// dismiss_action: POST /pro/proposals/{id}/dismiss for a model.
import { Type } from '@sinclair/typebox'

import { dismissProposal } from '../../features/proposals/verbs/proposals.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'
import { BriefProposal, briefProposal } from './brief-proposal.ts'

export const dismissAction = defineProTool({
  name: 'dismiss_action',
  title: 'Dismiss a proposal',
  description: 'Drop an open proposal that the pro does not want.',
  access: 'write',
  hints: { destructive: false },
  idempotent: true,
  input: Type.Object({ proposalId: Uuid() }, { additionalProperties: false }),
  output: Type.Object({ proposal: BriefProposal }),
  call: async (deps, pro, { proposalId }, { idempotency }) => {
    const { value, replayed } = await dismissProposal(deps, pro, proposalId, idempotency)
    return { value: { proposal: briefProposal(value) }, replayed }
  },
})
