// A proposal as the pro server's tools return it.
import { type Static, Type } from '@sinclair/typebox'

import { Proposal } from '../../features/agents/proposals/schemas.ts'
import { pick } from '../server/results.ts'

const { id, kind, status, target, summary, differences, expiresAt, conflict } = Proposal.properties

export const BriefProposal = Type.Object({ id, kind, status, target, summary, differences, expiresAt, conflict })

export const briefProposal = (proposal: Proposal): Static<typeof BriefProposal> => pick(BriefProposal, proposal)

export const ProposalResult = Type.Object({ proposal: BriefProposal })

export const proposalResult = (proposal: Proposal): Static<typeof ProposalResult> => ({
  proposal: briefProposal(proposal),
})
