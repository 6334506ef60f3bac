// The usage of keys in the database, by day.
import type { Ctx } from '../../../ctx.ts'

export interface UsageCounts {
  keyId: string
  /** In UTC, `YYYY-MM-DD`. */
  day: string
  /** All requests, and those with the status 4xx except 429 (`refused`), 429 (`limited`), and 5xx (`failed`). */
  requests: number
  refused: number
  limited: number
  failed: number
}

/** `isGrant`: the requests of a connected app. */
export type UsageRow = UsageCounts & { name: string; lastFour: string; isGrant: boolean }

/** Adds to the stored counts. Ordered by key, so that concurrent processes do not deadlock. */
export async function addUsage(ctx: Ctx, { counts }: { counts: readonly UsageCounts[] }): Promise<void> {
  const of = <K extends keyof UsageCounts>(name: K): UsageCounts[K][] => counts.map((one) => one[name])
  await ctx.write.run(
    'addUsage',
    (sql) => sql`
      insert into key_usage (key_id, day, requests, refused, limited, failed)
      select counted.* from unnest(${of('keyId')}::uuid[], ${of('day')}::text[]::date[], ${of('requests')}::bigint[],
        ${of('refused')}::bigint[], ${of('limited')}::bigint[], ${of('failed')}::bigint[]) as counted (key_id, day)
      join api_keys k on k.id = counted.key_id
      order by key_id, day
      on conflict (key_id, day) do update set requests = key_usage.requests + excluded.requests,
        refused = key_usage.refused + excluded.refused, limited = key_usage.limited + excluded.limited,
        failed = key_usage.failed + excluded.failed`,
  )
}

/** The usage of the account's keys since a day: latest day first, then busiest key first. */
export async function selectUsage(
  ctx: Ctx,
  { accountId, from }: { accountId: string; from: string },
): Promise<UsageRow[]> {
  return await ctx.read.run<UsageRow>(
    'selectUsage',
    (sql) => sql`
      select u.key_id, k.name, k.last_four, k.is_grant, u.day::text, u.requests::float8, u.refused::float8, u.limited::float8,
        u.failed::float8
      from key_usage u join api_keys k on k.id = u.key_id
      where k.account_id in (
          select ${accountId}::uuid union all select p.account_id from professionals p where p.test_account_id = ${accountId})
        and u.day >= ${from}::text::date
      order by u.day desc, u.requests desc, u.key_id`,
  )
}
