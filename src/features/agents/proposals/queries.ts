// SQL of proposals. Every statement but the sweeper's filters by the pro.
import { pageOf } from '../../../platform/schema/paging.ts'
import type { Difference, Proposal, ProposalKind, ProposalsQuery } from './schemas.ts'
import type { ProposalState } from './states.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export async function countOpen(
  ctx: TxCtx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<number> {
  const row = await statements.countOpenProposals(ctx, { professionalId, now })
  return row?.open ?? 0
}

/** The service of the target: of an offer, or of a quote's request. */
export async function findTargetName(
  ctx: TxCtx,
  { kind, targetId }: { kind: ProposalKind; targetId: string },
): Promise<string | null> {
  const row = await statements.findTargetName(ctx, { kind, targetId })
  return row?.name ?? null
}

interface ProposalRow {
  id: string
  professionalId: string
  kind: ProposalKind
  targetId: string
  change: object
  differences: readonly Difference[]
  summary: string
  keyId: string | null
  runId: string | null
  threadId: string | null
  createdAt: Date
  expiresAt: Date
}

export async function insertProposal(ctx: TxCtx, row: ProposalRow): Promise<void> {
  await statements.insertProposal(ctx, {
    id: row.id,
    professionalId: row.professionalId,
    kind: row.kind,
    targetId: row.targetId,
    change: JSON.stringify(row.change),
    differences: JSON.stringify(row.differences),
    summary: row.summary,
    keyId: row.keyId,
    runId: row.runId,
    threadId: row.threadId,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  })
}

export async function findProposal(
  ctx: Ctx,
  { professionalId, id, now }: { professionalId: string; id: string; now: Date },
): Promise<Proposal | undefined> {
  const row = await statements.findProposal<{ proposal: Proposal }>(ctx, { now, id, professionalId })
  return row?.proposal
}

export async function selectProposals(
  ctx: Ctx,
  {
    professionalId,
    status,
    kind,
    runId,
    now,
    ...page
  }: { professionalId: string; now: Date } & ProposalsQuery & { runId?: string },
): Promise<{ total: number; items: Proposal[] }> {
  const at = now.toISOString()
  const { limit, offset } = pageOf(page)
  const row = await statements.selectProposals<{ items: Proposal[] }>(ctx, {
    professionalId,
    kind,
    runId,
    status,
    at,
    limit,
    offset,
  })
  return row ?? { total: 0, items: [] }
}

export interface LockedProposal {
  id: string
  kind: ProposalKind
  targetId: string
  status: ProposalState
  change: object
  differences: Difference[]
}

/** A proposal with its current state, locked until the transaction ends. */
export async function lockProposal(
  ctx: TxCtx,
  { professionalId, id, now }: { professionalId: string; id: string; now: Date },
): Promise<LockedProposal | undefined> {
  return await statements.lockProposal<Pick<LockedProposal, 'change' | 'differences'>>(ctx, { now, id, professionalId })
}

export async function saveProposalState(
  ctx: TxCtx,
  { id, status, conflict, now }: { id: string; status: ProposalState; conflict?: Proposal['conflict']; now: Date },
): Promise<void> {
  const at = now.toISOString()
  await statements.saveProposalState(ctx, { status, at, conflict: conflict ? JSON.stringify(conflict) : null, id })
}

export async function markExpired(ctx: Ctx, { limit, now }: { limit: number; now: Date }): Promise<number> {
  const row = await statements.expireProposals(ctx, { now, limit })
  return row?.expired ?? 0
}
