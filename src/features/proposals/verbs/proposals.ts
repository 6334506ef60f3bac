// Proposals: made by agents, confirmed or dismissed by the pro or in their name. No event tells of them; what a confirmed
// one changes tells of itself.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { pageMeta } from '../../../platform/schema/paging.ts'
import { transition } from '../../../errors/transition.ts'
import { type Change, applyExactly, checkChange, rehearse } from './apply.ts'
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
  lockProposals,
  markExpired,
  saveProposalState,
  selectProposals,
} from '../queries.ts'
import { PROPOSAL } from '../states.ts'

/** How long a proposal waits for an answer. */
const LIFE_MS = 7 * 86_400_000
/** What waits for an answer beyond this, nobody reads. */
const MAX_OPEN = 100

/** Who proposes: a key, or a run of the pro's agent. */
export interface Proposer extends EditedPro {
  keyId?: string | null
  run?: { runId: string; threadId: string | null } | undefined
}

/** What is proposed; `targetId` is the quote's or the service's, and left out for what is the pro's own. */
export type ProposalInput = Omit<Change, 'targetId'> & { targetId?: string | undefined }

/**
 * Proposes a change, which changes nothing yet. It is tried: what the verb behind it refuses is refused now, by the same
 * error. Throws validation_failed besides for a change that changes nothing, feature_disabled, and too_many_proposals.
 */
export async function propose(
  deps: Deps,
  pro: Proposer,
  wish: ProposalInput,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<Proposal>> {
  const { kind, change } = wish
  const { feature, title } = EDITORS[kind]
  if (feature && !deps.config.features.has(feature))
    throw new AppError('feature_disabled', 'This editor is switched off here.', { extensions: { feature } })
  checkChange(wish)
  const request = { accountId: pro.accountId, operation: 'propose', request: wish }
  return await runIdempotently(deps, idempotency, request, async (tx) => {
    const { professionalId } = pro
    await lockProposals(tx, professionalId)
    const now = deps.clock.now()
    if ((await countOpen(tx, professionalId, now)) >= MAX_OPEN) throw tooMany()
    const targetId = targetOf(pro, wish)
    const differences = await rehearse(deps, tx, pro, { kind, targetId, change })
    if (differences.length === 0) throw invalidField('body', 'changes nothing: it is all as you want it already')
    const id = deps.ids.uuid()
    await insertProposal(tx, {
      id,
      professionalId,
      kind,
      targetId,
      change,
      differences,
      summary: summarize(title(await findTargetName(tx, kind, targetId)), differences),
      keyId: pro.keyId ?? null,
      runId: pro.run?.runId ?? null,
      threadId: pro.run?.threadId ?? null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFE_MS),
    })
    return await getStored(tx, pro, id, now)
  })
}

function targetOf({ professionalId }: EditedPro, { kind, targetId }: ProposalInput): string {
  const { target } = EDITORS[kind]
  if (target === 'professional') {
    if (targetId !== undefined) throw invalidField('body.targetId', 'goes without: there is one of it')
    return professionalId
  }
  if (targetId === undefined) throw invalidField('body.targetId', `must name the ${target}`)
  return targetId
}

/** The pro's proposals, newest first; those of one run of their agent where it is named. */
export async function listProposals(
  { read, clock }: Deps,
  pro: EditedPro,
  query: ProposalsQuery & { runId?: string },
): Promise<ProposalList> {
  const { total, items } = await selectProposals(read, pro.professionalId, query, clock.now())
  return { proposals: items, meta: pageMeta(total, query) }
}

/** One of the pro's proposals. Throws proposal_not_found. */
export const getProposal = ({ read, clock }: Deps, pro: EditedPro, id: string): Promise<Proposal> =>
  getStored(read, pro, id, clock.now())

/**
 * Applies a proposal, in one transaction with noting it, if what it edits is as it was. Throws proposal_not_found,
 * invalid_transition for one that is not open (any more), and proposal_conflict, which is noted, when it can no longer do
 * what it shows.
 */
export async function confirmProposal(
  deps: Deps,
  pro: EditedPro,
  id: string,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<Proposal>> {
  const request = { accountId: pro.accountId, operation: 'confirmProposal', request: { id } }
  const decided = await runIdempotently(deps, idempotency, request, async (tx) => {
    const { proposal, now } = await lock(deps, tx, pro, id)
    const confirmed = transition(PROPOSAL, 'proposal', proposal.status, 'confirm')
    const conflict = await applyExactly(deps, tx, pro, proposal)
    const status = conflict ? transition(PROPOSAL, 'proposal', proposal.status, 'conflict') : confirmed
    await saveProposalState(tx, { id, status, conflict, now })
    return await getStored(tx, pro, id, now)
  })
  // Thrown after the transaction, which has recorded the conflict.
  const { conflict } = decided.value
  if (conflict)
    throw new AppError('proposal_conflict', conflict.reason, { extensions: { conflict }, replayed: decided.replayed })
  return decided
}

/** Drops a proposal. Throws proposal_not_found, and invalid_transition for one that is not open (any more). */
export const dismissProposal = (
  deps: Deps,
  pro: EditedPro,
  id: string,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<Proposal>> =>
  runIdempotently(
    deps,
    idempotency,
    { accountId: pro.accountId, operation: 'dismissProposal', request: { id } },
    async (tx) => {
      const { proposal, now } = await lock(deps, tx, pro, id)
      const status = transition(PROPOSAL, 'proposal', proposal.status, 'dismiss')
      await saveProposalState(tx, { id, status, now })
      return await getStored(tx, pro, id, now)
    },
  )

/** Marks up to `limit` proposals that are past their time; gives how many. Reads show them as expired before that. */
export const expireProposals = ({ write, clock }: Deps, limit: number): Promise<number> =>
  markExpired(write, { limit, now: clock.now() })

async function lock(
  { clock }: Deps,
  tx: Transaction,
  { professionalId }: EditedPro,
  id: string,
): Promise<{ proposal: LockedProposal; now: Date }> {
  await lockProposals(tx, professionalId)
  // After the wait: meanwhile it may have expired.
  const now = clock.now()
  const proposal = await lockProposal(tx, professionalId, id, now)
  if (!proposal) throw noSuchProposal()
  return { proposal, now }
}

async function getStored(
  db: Parameters<typeof findProposal>[0],
  { professionalId }: EditedPro,
  id: string,
  now: Date,
): Promise<Proposal> {
  const proposal = await findProposal(db, professionalId, id, now)
  if (!proposal) throw noSuchProposal()
  return proposal
}

/** Also the answer for another pro's: whether that exists is not told. */
const noSuchProposal = () => new AppError('proposal_not_found', 'None of your proposals has this id.')
const tooMany = () =>
  new AppError('too_many_proposals', `${MAX_OPEN} proposals wait for an answer. Confirm or dismiss some first.`)
