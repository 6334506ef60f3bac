// A proposal for a model, and the tools that make one: the same for every editor.
import { type Static, type TObject, Type } from '@sinclair/typebox'

import type { Feature } from '../../config.ts'
import { Proposal } from '../../features/proposals/schemas.ts'
import { type ProposalInput, propose } from '../../features/proposals/verbs/proposals.ts'
import type { ProCaller } from '../../auth/pro-caller.ts'
import { type Tool, defineProTool } from '../server/tool.ts'

const { id, kind, status, target, summary, differences, expiresAt, conflict } = Proposal.properties

export const BriefProposal = Type.Object({ id, kind, status, target, summary, differences, expiresAt, conflict })

export const briefProposal = (proposal: Proposal): Static<typeof BriefProposal> => ({
  id: proposal.id,
  kind: proposal.kind,
  status: proposal.status,
  target: proposal.target,
  summary: proposal.summary,
  differences: proposal.differences,
  expiresAt: proposal.expiresAt,
  conflict: proposal.conflict,
})

interface Editing<I extends TObject> {
  name: string
  title: string
  description: string
  flags?: readonly Feature[]
  /** What the tool takes: fields of the editor, and the target's id where there is one. */
  input: I
  wish: (input: Static<I>) => ProposalInput
}

/** A tool whose effect is a proposal. */
export const defineEditingTool = <I extends TObject>({ wish, ...tool }: Editing<I>): Tool<ProCaller> =>
  defineProTool({
    ...tool,
    access: 'write',
    idempotent: true,
    output: Type.Object({ proposal: BriefProposal }),
    call: async (deps, { accountId, professionalId, keyId }, given, { idempotency, run }) => {
      const proposer = { accountId, professionalId, ...(run ? { run } : { keyId }) }
      const { value, replayed } = await propose(deps, proposer, wish(given), idempotency)
      return { value: { proposal: briefProposal(value) }, replayed }
    },
    next: () => 'Nothing has changed yet. Show the differences to the pro; confirm_action applies them.',
  })
