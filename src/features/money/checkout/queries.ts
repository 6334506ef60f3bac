// SQL of the daily comparison with the payment provider.
import type { Listed } from '../../../payments/provider.ts'
import type { Ctx } from '../../../ctx.ts'
import { composed, text } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'

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
  return await statements.claimPart(ctx, { at, until })
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
  const rows = await composed(
    ctx.write,
    'selectUnknown',
    { intentId: text },
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
  const rows = await statements.selectOurs(ctx, { since, afterId: afterId ?? '', limit })
  return rows.map(({ intentId }) => intentId)
}

/** What our rows say is left of an intent; zero for one that is not ours. */
export async function sumLeft(ctx: Ctx, { intentId }: { intentId: string }): Promise<number> {
  const row = await statements.sumLeft(ctx, { intentId })
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
  const row = await statements.selectPaymentHealth(ctx, { now })
  return row ?? { failedRefunds: 0, openDisputes: 0, differences: 0, comparedSeconds: null }
}
