// SQL of proposals. Every statement but the sweeper's filters by the pro.
import { pageOf } from '../../../platform/schema/paging.ts'
import type { Difference, Proposal, ProposalKind, ProposalsQuery } from './schemas.ts'
import type { ProposalState } from './states.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

/** Serializes changes of the pro's proposals until the transaction ends. */
export async function lockProposals(ctx: TxCtx, { professionalId }: { professionalId: string }): Promise<void> {
  await ctx.tx.run('lock_proposals', (sql) => sql`select lock_proposals(${professionalId})`)
}

export async function countOpen(
  ctx: TxCtx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<number> {
  const [row] = await ctx.tx.run<{ open: number }>(
    'countOpenProposals',
    (sql) => sql`
      select count(*) as open from proposals
      where professional_id = ${professionalId} and status = 'open' and expires_at > ${now.toISOString()}`,
  )
  return row?.open ?? 0
}

/** The service of the target: of an offer, or of a quote's request. */
export async function findTargetName(
  ctx: TxCtx,
  { kind, targetId }: { kind: ProposalKind; targetId: string },
): Promise<string | null> {
  const [row] = await ctx.tx.run<{ name: string }>(
    'findTargetName',
    (sql) => sql`
      select s.name from services s
      where s.id = case when ${kind} = 'quote_content'
        then (select r.service_id from quotes q join rfqs r on r.id = q.rfq_id where q.id = ${targetId})
        else ${targetId}::uuid end`,
  )
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
  await ctx.tx.run(
    'insertProposal',
    (sql) => sql`
      insert into proposals (id, professional_id, kind, target_id, status, change, differences, summary, key_id, run_id,
        thread_id, created_at, expires_at)
      values (${row.id}, ${row.professionalId}, ${row.kind}, ${row.targetId}, 'open',
        ${JSON.stringify(row.change)}::text::jsonb, ${JSON.stringify(row.differences)}::text::jsonb, ${row.summary},
        ${row.keyId}, ${row.runId}, ${row.threadId}, ${row.createdAt.toISOString()}, ${row.expiresAt.toISOString()})`,
  )
}

export async function findProposal(
  ctx: Ctx,
  { professionalId, id, now }: { professionalId: string; id: string; now: Date },
): Promise<Proposal | undefined> {
  const [row] = await ctx.read.run<{ proposal: Proposal }>(
    'findProposal',
    (sql) => sql`
      select proposal_object(p, ${now.toISOString()}) as proposal from proposals p
      where p.id = ${id} and p.professional_id = ${professionalId}`,
  )
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
  const [row] = await ctx.read.run<{ total: number; items: Proposal[] }>(
    'selectProposals',
    (sql) => sql`
      with matching as (
        select p.* from proposals p
        where p.professional_id = ${professionalId}
          and (${kind ?? null}::text is null or p.kind = ${kind ?? null})
          and (${runId ?? null}::uuid is null or p.run_id = ${runId ?? null})
          and (${status ?? null}::text is null or proposal_status(p, ${at}) = ${status ?? null})),
      page as (select * from matching order by created_at desc, id desc limit ${limit} offset ${offset})
      select (select count(*) from matching) as total,
        (select coalesce(json_agg(proposal_object(page::proposals, ${at}) order by created_at desc, id desc), '[]')
         from page) as items`,
  )
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
  const [row] = await ctx.tx.run<LockedProposal>(
    'lockProposal',
    (sql) => sql`
      select id, kind, target_id, proposal_status(p, ${now.toISOString()}) as status, change, differences
      from proposals p where id = ${id} and professional_id = ${professionalId} for update`,
  )
  return row
}

export async function saveProposalState(
  ctx: TxCtx,
  { id, status, conflict, now }: { id: string; status: ProposalState; conflict?: Proposal['conflict']; now: Date },
): Promise<void> {
  const at = now.toISOString()
  await ctx.tx.run(
    'saveProposalState',
    (sql) => sql`
      update proposals set status = ${status},
        confirmed_at = case when ${status} = 'confirmed' then ${at}::timestamptz end,
        dismissed_at = case when ${status} = 'dismissed' then ${at}::timestamptz end,
        conflicted_at = case when ${status} = 'conflict' then ${at}::timestamptz end,
        conflict = ${conflict ? JSON.stringify(conflict) : null}::text::jsonb
      where id = ${id}`,
  )
}

export async function markExpired(ctx: Ctx, { limit, now }: { limit: number; now: Date }): Promise<number> {
  const [row] = await ctx.write.run<{ expired: number }>(
    'expire_proposals',
    (sql) => sql`select expire_proposals(${now.toISOString()}, ${limit}) as expired`,
  )
  return row?.expired ?? 0
}
