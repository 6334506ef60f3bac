// SQL of runs: insert, read, change state.
import type { AgentRun, AgentStep, Failure, RunKind, RunRef, ThreadDetail } from '../schemas.ts'
import type { RunState } from '../states.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

export interface NewRunRow extends RunRef {
  accountId: string
  kind: RunKind
  goal: string
  threadId: string | null
  goalPosition: number | null
  traceparent: string | null
  now: Date
}

/** Queues a run. Its deadline is that of its task, which must be reserved. */
export async function insertRun(ctx: TxCtx, run: NewRunRow): Promise<void> {
  const now = run.now.toISOString()
  await ctx.tx.run(
    'insertAgentRun',
    (sql) => sql`
      insert into agent_runs (professional_id, id, account_id, kind, thread_id, goal_position, goal, status, traceparent,
        queued_at, deadline_at)
      select ${run.professionalId}, ${run.runId}, ${run.accountId}, ${run.kind}, ${run.threadId}, ${run.goalPosition},
        ${run.goal}, 'queued', ${run.traceparent}, ${now}, t.deadline_at
      from metered_tasks t where t.professional_id = ${run.professionalId} and t.id = ${run.runId}`,
  )
}

export async function countOpenRuns(ctx: TxCtx, { professionalId }: { professionalId: string }): Promise<number> {
  const [row] = await ctx.tx.run<{ open: number }>(
    'countOpenAgentRuns',
    (sql) => sql`
      select count(*)::int as open from agent_runs
      where professional_id = ${professionalId} and status in ('queued', 'running')`,
  )
  return row?.open ?? 0
}

export type RunRow = Omit<AgentRun, 'failure' | 'steps' | 'usage'> & {
  failure: Failure | null
  inputTokens: number
  outputTokens: number
  steps: (Omit<AgentStep, 'input'> & { input: string })[]
}

/** A run with its steps, and with its proposals as they are at `now`. */
export async function findRun(
  ctx: Ctx,
  { professionalId, runId, now }: { now: Date } & RunRef,
): Promise<RunRow | undefined> {
  const rows = await ctx.read.run<RunRow>(
    'findAgentRun',
    (sql) => sql`
      select r.id, r.kind, r.status, r.goal, r.thread_id, r.answer, r.failure, r.model, r.input_tokens, r.output_tokens,
        r.queued_at, r.deadline_at, r.started_at, r.finished_at,
        coalesce((
          select json_agg(json_build_object('number', s.number, 'tool', s.tool, 'input', s.input, 'status', s.status,
            'summary', s.summary, 'remark', s.remark, 'durationMs', s.duration_ms, 'inputTokens', s.input_tokens,
            'outputTokens', s.output_tokens) order by s.number)
          from agent_steps s where s.professional_id = r.professional_id and s.run_id = r.id), '[]') as steps,
        coalesce((
          select json_agg(json_build_object('id', p.id, 'summary', p.summary,
            'status', proposal_status(p, ${now.toISOString()})) order by p.created_at, p.id)
          from proposals p where p.professional_id = r.professional_id and p.run_id = r.id), '[]') as proposals
      from agent_runs r where r.professional_id = ${professionalId} and r.id = ${runId}`,
  )
  return rows[0]
}

export async function findRunState(ctx: Ctx, { professionalId, runId }: RunRef): Promise<RunState | undefined> {
  const rows = await ctx.write.run<{ status: RunState }>(
    'findAgentRunState',
    (sql) => sql`select status from agent_runs where professional_id = ${professionalId} and id = ${runId}`,
  )
  return rows[0]?.status
}

/** The open runs of a thread, oldest first. */
export const selectOpenRunsOf = (
  ctx: Ctx,
  { professionalId, threadId }: { professionalId: string; threadId: string },
) =>
  ctx.read.run<ThreadDetail['openRuns'][number]>(
    'selectOpenRunsOfThread',
    (sql) => sql`
      select id, status, queued_at from agent_runs
      where professional_id = ${professionalId} and status in ('queued', 'running') and thread_id = ${threadId}
      order by queued_at, id`,
  )

export interface LockedRun extends RunRef {
  accountId: string
  threadId: string | null
  goalPosition: number | null
  goal: string
  status: RunState
  attempt: number
  stepCount: number
  inputTokens: number
  outputTokens: number
  deadlineAt: string
  queuedAt: string
}

/** The run, locked until the transaction ends. Lock order: the run, then the pro's ledger. */
export async function lockRun(ctx: TxCtx, { professionalId, runId }: RunRef): Promise<LockedRun | undefined> {
  const rows = await ctx.tx.run<LockedRun>(
    'lockAgentRun',
    (sql) => sql`
      select professional_id, id as run_id, account_id, thread_id, goal_position, goal, status, attempt, step_count,
        input_tokens, output_tokens, deadline_at, queued_at
      from agent_runs where professional_id = ${professionalId} and id = ${runId} for update`,
  )
  return rows[0]
}

/** Marks the run as running. Returns false when another run of the pro is running, or in a restored copy. */
export async function startRunRow(
  ctx: TxCtx,
  { professionalId, runId, model, heldUntil, now }: { model: string; heldUntil: Date; now: Date } & RunRef,
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'startAgentRun',
    (sql) => sql`
      update agent_runs set status = 'running', attempt = attempt + 1, model = ${model},
        held_until = ${heldUntil.toISOString()}, started_at = coalesce(started_at, ${now.toISOString()})
      where professional_id = ${professionalId} and id = ${runId} and restored_copy() is null and not exists (
        select from agent_runs other
        where other.professional_id = ${professionalId} and other.status = 'running' and other.id <> ${runId})
      returning 1`,
  )
  return rows.length === 1
}

export async function endRunRow(
  ctx: TxCtx,
  {
    professionalId,
    runId,
    end,
  }: { end: { status: RunState; answer: string | null; failure: Failure | null; now: Date } } & RunRef,
): Promise<void> {
  await ctx.tx.run(
    'endAgentRun',
    (sql) => sql`
      update agent_runs set status = ${end.status}, answer = ${end.answer}, failure = ${end.failure}, held_until = null,
        finished_at = ${end.now.toISOString()}
      where professional_id = ${professionalId} and id = ${runId}`,
  )
}

export interface OpenRun extends RunRef {
  traceparent: string | null
}

/**
 * The next run of each pro that no worker has: queued, or left by a dead worker. Oldest first.
 */
export const selectRunsToExecute = (ctx: Ctx, { now, limit }: { now: Date; limit: number }) =>
  ctx.write.run<OpenRun>(
    'selectRunsToExecute',
    (sql) => sql`
      select professional_id, id as run_id, traceparent from (
        select distinct on (professional_id) professional_id, id, traceparent, status, held_until, queued_at
        from agent_runs where status in ('queued', 'running')
        order by professional_id, status desc, queued_at, id) turn
      where status = 'queued' or held_until <= ${now.toISOString()}
      order by queued_at, id limit ${limit}`,
  )

/** Open runs past their deadline. */
export const selectOverdueRuns = (ctx: Ctx, { now, limit }: { now: Date; limit: number }) =>
  ctx.write.run<RunRef>(
    'selectOverdueRuns',
    (sql) => sql`
      select professional_id, id as run_id from agent_runs
      where status in ('queued', 'running') and deadline_at <= ${now.toISOString()} order by deadline_at limit ${limit}`,
  )

export async function findRunBacklog(
  ctx: Ctx,
  { now }: { now: Date },
): Promise<{ queued: number; running: number; oldestSeconds: number }> {
  const [row] = await ctx.read.run<{ queued: number; running: number; oldestSeconds: number }>(
    'findAgentRunBacklog',
    (sql) => sql`
      select count(*) filter (where status = 'queued')::int as queued,
        count(*) filter (where status = 'running')::int as running,
        greatest(coalesce(extract(epoch from
          ${now.toISOString()}::timestamptz - min(queued_at) filter (where status = 'queued')), 0), 0)::float
          as oldest_seconds
      from agent_runs where status in ('queued', 'running')`,
  )
  return row ?? { queued: 0, running: 0, oldestSeconds: 0 }
}
