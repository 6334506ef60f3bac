// Proposals: agents create them, the pro confirms or dismisses them. They emit no events of their own; a confirmed change
// emits the events of its verb.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { pageMeta } from '../../../../platform/schema/paging.ts'
import { transition } from '../../../../transition.ts'
import { type Change, applyExactly, checkChange, previewChange } from './apply.ts'
import { summarize } from '../differences.ts'
import { EDITORS, type EditedPro } from './editors.ts'
import type { Proposal, ProposalList, ProposalsQuery } from '../schemas.ts'
import {
  type LockedProposal,
  countOpen,
  findProposal,
  findTargetName,
  insertProposal,
  lockProposal,
  markExpired,
  saveProposalState,
  selectProposals,
} from '../queries.ts'
import { lockProposals } from '../queries.sql.ts'
import { expiryOf } from '../rules/lifetime.ts'
import { PROPOSAL } from '../states.ts'

/** Open proposals of a pro: more than a person reviews. */
const MAX_OPEN = 100

/** The author of a proposal: a key, or a run of the pro's agent. */
export interface Proposer extends EditedPro {
  keyId?: string | null
  run?: { runId: string; threadId: string | null } | undefined
}

/** A proposed change. `targetId` names the quote or service; content of the pro has none. */
export type ProposalInput = Omit<Change, 'targetId'> & { targetId?: string | undefined }

/**
 * Proposes a change without making it. Throws the errors that the change itself would throw now, validation_failed for a
 * change without effect, feature_disabled and too_many_proposals.
 */
export async function propose(ctx: Ctx<Proposer>, input: ProposalInput): Promise<Proposal> {
  const { kind, change } = input
  const { feature, title } = EDITORS[kind]
  if (feature && !ctx.config.features.has(feature))
    throw new AppError('feature_disabled', 'This editor is disabled here.', { extensions: { feature } })
  checkChange(input)
  const request = { accountId: ctx.actor.accountId, operation: 'propose', request: input }
  return await runIdempotently(ctx, request, async (ctx) => {
    const { professionalId } = ctx.actor
    await lockProposals(ctx, { professionalId })
    const now = ctx.clock.now()
    if ((await countOpen(ctx, { professionalId, now })) >= MAX_OPEN) throw tooManyProposals()
    const targetId = targetOf(ctx.actor, input)
    const differences = await previewChange(ctx, { kind, targetId, change })
    if (differences.length === 0) throw invalidField('body', 'changes nothing: the content has these values already')
    const id = ctx.ids.uuid()
    await insertProposal(ctx, {
      id,
      professionalId,
      kind,
      targetId,
      change,
      differences,
      summary: summarize(title(await findTargetName(ctx, { kind, targetId })), differences),
      keyId: ctx.actor.keyId ?? null,
      runId: ctx.actor.run?.runId ?? null,
      threadId: ctx.actor.run?.threadId ?? null,
      createdAt: now,
      expiresAt: expiryOf(now),
    })
    return await getStored(ctx, id, now)
  })
}

function targetOf({ professionalId }: EditedPro, { kind, targetId }: ProposalInput): string {
  const { target } = EDITORS[kind]
  if (target === 'professional') {
    if (targetId !== undefined) throw invalidField('body.targetId', 'must be left out for this kind')
    return professionalId
  }
  if (targetId === undefined) throw invalidField('body.targetId', `must name the ${target}`)
  return targetId
}

/** The pro's proposals, newest first; `runId` selects those of one run. */
export async function listProposals(
  ctx: Ctx<EditedPro>,
  query: ProposalsQuery & { runId?: string },
): Promise<ProposalList> {
  const { total, items } = await selectProposals(ctx, {
    ...query,
    professionalId: ctx.actor.professionalId,
    now: ctx.clock.now(),
  })
  return { proposals: items, meta: pageMeta(total, query) }
}

/** One of the pro's proposals. Throws proposal_not_found. */
export const getProposal = (ctx: Ctx<EditedPro>, { id }: { id: string }): Promise<Proposal> =>
  getStored(ctx, id, ctx.clock.now())

/**
 * Applies a proposal if its content has not changed, in one transaction with its new state. Throws proposal_not_found,
 * invalid_transition for a proposal that is not open, and proposal_conflict, after recording it, when the change cannot be
 * made as shown.
 */
export async function confirmProposal(ctx: Ctx<EditedPro>, { id }: { id: string }): Promise<Proposal> {
  const request = { accountId: ctx.actor.accountId, operation: 'confirmProposal', request: { id } }
  const decided = await runIdempotently(ctx, request, async (ctx) => {
    const { proposal, now } = await lock(ctx, id)
    const confirmed = transition(PROPOSAL, 'proposal', proposal.status, 'confirm')
    const conflict = await applyExactly(ctx, proposal)
    const status = conflict ? transition(PROPOSAL, 'proposal', proposal.status, 'conflict') : confirmed
    await saveProposalState(ctx, { id, status, conflict, now })
    return await getStored(ctx, id, now)
  })
  // Thrown after the transaction, which has recorded the conflict.
  const { conflict, kind } = decided
  if (conflict)
    throw new AppError('proposal_conflict', conflict.reason, {
      extensions: { kind, conflict },
      replayed: ctx.idempotency?.isReplay,
    })
  return decided
}

/** Dismisses a proposal. Throws proposal_not_found, and invalid_transition for a proposal that is not open. */
export const dismissProposal = (ctx: Ctx<EditedPro>, { id }: { id: string }): Promise<Proposal> =>
  runIdempotently(
    ctx,
    { accountId: ctx.actor.accountId, operation: 'dismissProposal', request: { id } },
    async (ctx) => {
      const { proposal, now } = await lock(ctx, id)
      const status = transition(PROPOSAL, 'proposal', proposal.status, 'dismiss')
      await saveProposalState(ctx, { id, status, now })
      return await getStored(ctx, id, now)
    },
  )

/** Marks up to `limit` expired proposals and returns their number. Reads show them as expired before that. */
export const expireProposals = (ctx: Ctx, { limit }: { limit: number }): Promise<number> =>
  markExpired(ctx, { limit, now: ctx.clock.now() })

async function lock(ctx: TxCtx<EditedPro>, id: string): Promise<{ proposal: LockedProposal; now: Date }> {
  await lockProposals(ctx, { professionalId: ctx.actor.professionalId })
  // Read after waiting for the lock: the proposal may have expired meanwhile.
  const now = ctx.clock.now()
  const proposal = await lockProposal(ctx, { professionalId: ctx.actor.professionalId, id, now })
  if (!proposal) throw proposalNotFound()
  return { proposal, now }
}

async function getStored(ctx: Ctx<EditedPro>, id: string, now: Date): Promise<Proposal> {
  const proposal = await findProposal(ctx, { professionalId: ctx.actor.professionalId, id, now })
  if (!proposal) throw proposalNotFound()
  return proposal
}

/** The same for another pro's proposal, so that its existence is not revealed. */
const proposalNotFound = () => new AppError('proposal_not_found', 'You have no proposal with this id.')
const tooManyProposals = () =>
  new AppError('too_many_proposals', `You have ${MAX_OPEN} open proposals. Confirm or dismiss some first.`)
