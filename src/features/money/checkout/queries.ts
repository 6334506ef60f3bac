// SQL of the daily comparison with the payment provider.
import type { Listed } from '../../../payments/provider.ts'
import type { Ctx } from '../../../ctx.ts'

export type Step = 'intents' | 'refunds' | 'disputes' | 'ours'

export interface Part {
  step: Step
  afterId: string | null
  startedAt: string
  completedAt: string | null
}

/** Claims the part that is due, for some minutes. None in a restored copy. */
export async function claimPart(ctx: Ctx, { now, leaseMs }: { now: Date; leaseMs: number }): Promise<Part | undefined> {
  const [at, until] = [now.toISOString(), new Date(now.getTime() + leaseMs).toISOString()]
  const rows = await ctx.write.run<Part>(
    'claimPart',
    (sql) => sql`
      insert into payment_reconciliations as r (provider, step, started_at, next_at)
      select 'stripe', 'intents', ${at}, ${until} where restored_copy() is null
      on conflict (provider) do update set next_at = excluded.next_at
      where r.next_at <= ${at}
      returning step, after_id, iso_instant(started_at) as started_at, iso_instant(completed_at) as completed_at`,
  )
  return rows[0]
}

/** Saves where the comparison goes on, and when. */
export async function savePart(
  ctx: Ctx,
  part: { step: Step; afterId: string | null; startedAt: string; completedAt: string | null; nextAt: Date },
): Promise<void> {
  await ctx.write.run(
    'savePart',
    (sql) => sql`
      update payment_reconciliations set step = ${part.step}, after_id = ${part.afterId}, started_at = ${part.startedAt},
        completed_at = ${part.completedAt}, next_at = ${part.nextAt.toISOString()}
      where provider = 'stripe'`,
  )
}

/** The intents of what is listed that our rows do not have in the same state. A failed refund of others does not count. */
export async function selectUnknown(
  ctx: Ctx,
  { kind, listed }: { kind: Exclude<Step, 'ours'>; listed: readonly Listed[] },
): Promise<string[]> {
  const ids = listed.map(({ id }) => id)
  const states = listed.map(({ state }) => state)
  const cents = listed.map((it) => it.cents)
  const intents = listed.map(({ intentId }) => intentId)
  const rows = await ctx.write.run<{ intentId: string }>(
    'selectUnknown',
    (sql) => sql`
      select distinct l.intent_id
      from unnest(${ids}::text[], ${states}::text[], ${cents}::integer[], ${intents}::text[]) l (id, state, cents, intent_id)
      where ${
        kind === 'intents'
          ? sql`l.state = 'captured' and not exists (
              select from payments p where p.intent_id = l.id and p.captured_cents = l.cents)`
          : kind === 'refunds'
            ? sql`not exists (
                select from payment_refunds r where r.provider_refund_id = l.id and r.amount_cents = l.cents
                  and (r.status = l.state or (l.state = 'failed' and (r.status = 'replaced' or r.returned_otherwise is not null))))
                and not (l.state = 'failed' and not exists (
                  select from payment_refunds r where r.provider_refund_id = l.id))`
            : sql`not exists (
                select from payment_disputes d where d.provider_dispute_id = l.id and d.amount_cents = l.cents
                  and d.state = l.state)`
      }`,
  )
  return rows.map(({ intentId }) => intentId)
}

/**
 * Intents that our rows say something about that may have changed: open refunds and disputes, refunds since, and differences.
 * In the order of their ids.
 */
export async function selectOurs(
  ctx: Ctx,
  { since, afterId, limit }: { since: Date; afterId: string | null; limit: number },
): Promise<string[]> {
  const rows = await ctx.write.run<{ intentId: string }>(
    'selectOurs',
    (sql) => sql`
      select intent_id from (
        select p.intent_id from payment_refunds r join payments p on p.id = r.payment_id
        where p.provider = 'stripe' and (r.status = 'submitted' or r.done_at >= ${since.toISOString()})
        union
        select p.intent_id from payment_disputes d join payments p on p.id = d.payment_id where d.state = 'open'
        union
        select intent_id from payment_differences
      ) ours
      where intent_id > ${afterId ?? ''} order by intent_id limit ${limit}`,
  )
  return rows.map(({ intentId }) => intentId)
}

/** What our rows say is left of an intent; zero for one that is not ours. */
export async function sumLeft(ctx: Ctx, { intentId }: { intentId: string }): Promise<number> {
  const [row] = await ctx.write.run<{ cents: number }>(
    'sumLeft',
    (sql) => sql`
      select coalesce(sum(p.captured_cents
        - (select coalesce(sum(r.amount_cents), 0) from payment_refunds r
           where r.payment_id = p.id and r.status in ('submitted', 'done') and r.returned_otherwise is null)
        - (select coalesce(sum(d.amount_cents), 0) from payment_disputes d where d.payment_id = p.id and d.state = 'lost')),
        0)::integer as cents
      from payments p where p.intent_id = ${intentId} and p.captured_at is not null`,
  )
  return row?.cents ?? 0
}

export interface Difference {
  intentId: string
  paymentId: string | null
  providerCents: number
  ourCents: number
}

/** Saves a difference, or ends it when both sides agree. */
export async function saveDifference(
  ctx: Ctx,
  { difference, now }: { difference: Difference; now: Date },
): Promise<void> {
  const { intentId, paymentId, providerCents, ourCents } = difference
  await ctx.write.run('saveDifference', (sql) =>
    providerCents === ourCents
      ? sql`delete from payment_differences where intent_id = ${intentId}`
      : sql`
          insert into payment_differences (intent_id, payment_id, provider_cents, our_cents, found_at)
          values (${intentId}, ${paymentId}, ${providerCents}, ${ourCents}, ${now.toISOString()})
          on conflict (intent_id) do update
          set payment_id = excluded.payment_id, provider_cents = excluded.provider_cents, our_cents = excluded.our_cents`,
  )
}

/** What waits for an operator, and how old the last complete comparison is. */
export interface PaymentHealth {
  failedRefunds: number
  openDisputes: number
  differences: number
  /** Since the start of the last comparison that was completed; null before the first. */
  comparedSeconds: number | null
}

export async function selectHealth(ctx: Ctx, { now }: { now: Date }): Promise<PaymentHealth> {
  const [row] = await ctx.read.run<PaymentHealth>(
    'selectPaymentHealth',
    (sql) => sql`
      select (select count(*)::int from payment_refunds where status = 'failed') as failed_refunds,
        (select count(*)::int from payment_disputes where state = 'open') as open_disputes,
        (select count(*)::int from payment_differences) as differences,
        (select extract(epoch from ${now.toISOString()}::timestamptz - coalesce(completed_at, started_at))::float8
         from payment_reconciliations) as compared_seconds`,
  )
  return row ?? { failedRefunds: 0, openDisputes: 0, differences: 0, comparedSeconds: null }
}

export const selectDifferences = (ctx: Ctx, { limit }: { limit: number }): Promise<Difference[]> =>
  ctx.read.run<Difference>(
    'selectDifferences',
    (sql) => sql`
      select intent_id, payment_id, provider_cents, our_cents from payment_differences order by found_at, intent_id
      limit ${limit}`,
  )
