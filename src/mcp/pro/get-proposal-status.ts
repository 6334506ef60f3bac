// get_proposal_status: GET /pro/proposals for a model.
import { Type } from '@sinclair/typebox'

import { getProposal, listProposals } from '../../features/agents/proposals/verbs/proposals.ts'
import { getRun } from '../../features/agents/threads/verbs/runs.ts'
import { Nullable, Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'
import { BriefProposal, briefProposal } from './brief-proposal.ts'
import { RunAnswer, afterRun, runAnswer } from './run-answer.ts'

const MAX_PROPOSALS = 10

export const getProposalStatus = defineProTool({
  name: 'get_proposal_status',
  title: 'Read proposals',
  description: 'The state of one proposal, or of a run and its proposals; without an id, the open proposals.',
  access: 'read',
  quotes: 'quoted texts',
  input: Type.Object(
    { proposalId: Type.Optional(Uuid()), runId: Type.Optional(Uuid()) },
    { additionalProperties: false },
  ),
  output: Type.Object({ proposals: Type.Array(BriefProposal), run: Nullable(RunAnswer.properties.run) }),
  call: async (ctx, { proposalId, runId }) => {
    const { run } = runId
      ? runAnswer(await getRun(ctx, { professionalId: ctx.actor.professionalId, runId }))
      : { run: null }
    if (proposalId) return { proposals: [briefProposal(await getProposal(ctx, { id: proposalId }))], run }
    const filter = runId ? { runId } : ({ status: 'open' } as const)
    const { proposals } = await listProposals(ctx, { ...filter, limit: MAX_PROPOSALS })
    return { proposals: proposals.map(briefProposal), run }
  },
  next: ({ run }) => (run ? afterRun({ run }) : undefined),
})
