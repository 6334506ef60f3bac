// Pros with agent tasks for tests, and a check that their ledgers balance.
import { readConfig } from '../../src/config.ts'
import { type Deps, openDeps } from '../../src/deps.ts'
import type { PlanId } from '../../src/features/business/plans/schemas.ts'
import type { Clock } from '../../src/platform/clock/clock.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { cloneDatabase, testSql } from './database.ts'
import { testRedisUrl } from './stores.ts'

export interface MeteringFixture {
  deps: Deps
  sql: Sql
  /** Variables for child processes. */
  env: Record<string, string | undefined>
  close: () => Promise<void>
}

/** Opens a migrated database and the stores on it. */
export async function openMeteringFixture(clock?: Clock): Promise<MeteringFixture> {
  const database = await cloneDatabase('migrated')
  const env = { DATABASE_URL: database.url, REDIS_URL: testRedisUrl, LOG_LEVEL: 'error' }
  const deps = openDeps(readConfig(env), clock ? { clock } : {})
  const sql = testSql(database.url, 2)
  const close = async () => {
    await sql.end()
    await deps.close()
    await database.drop()
  }
  return { deps, sql, env, close }
}

let proCount = 0

/** Inserts a pro on `plan` in `timeZone` into a migrated database. */
export async function insertMeteredPro(sql: Sql, plan: PlanId, timeZone = 'America/Chicago'): Promise<string> {
  const id = Bun.randomUUIDv7()
  const accountId = Bun.randomUUIDv7()
  const slug = `metered-${++proCount}-${id.slice(-12)}`
  await sql`insert into states (code, name, ordinal) values ('TX', 'Texas', 1) on conflict do nothing`
  await sql`
    insert into cities (id, name, state, latitude, longitude, time_zone, population)
    values (1, 'Austin', 'TX', 30.27, -97.74, 'America/Chicago', 1) on conflict do nothing`
  await sql`
    insert into accounts (id, kind, email, name, created_at)
    values (${accountId}, 'pro', ${`${slug}@pros.example`}, 'A pro', '2026-01-01T00:00:00Z')`
  await sql`
    insert into professionals (id, account_id, slug, business_name, city_id, latitude, longitude, time_zone,
      business_hours, created_at, updated_at, plan)
    values (${id}, ${accountId}, ${slug}, 'Austin Metering', 1, 30.27, -97.74, ${timeZone},
      '{"monday":[],"tuesday":[],"wednesday":[],"thursday":[],"friday":[],"saturday":[],"sunday":[]}',
      '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', ${plan})`
  return id
}

/** The balances of a pro's ledger, by account. */
export async function balancesOf(sql: Sql, professionalId: string): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; balance: number }[]>`
    select name, balance from credit_accounts where professional_id = ${professionalId} order by name`
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
}

/**
 * Describes every inconsistency of the ledgers: balances that differ from the sum of their legs, ledgers that do not sum
 * to zero, negative balances, tasks whose transfers contradict their state. Empty when the ledgers balance.
 */
export async function ledgerFaults(sql: Sql): Promise<string[]> {
  const rows = await sql<{ fault: string }[]>`
    with legs as (select professional_id, account, sum(amount) as total from credit_legs group by 1, 2)
    select format('%s %s holds %s, its legs %s', a.professional_id, a.name, a.balance, coalesce(l.total, 0)) as fault
    from credit_accounts a
    left join legs l on l.professional_id = a.professional_id and l.account = a.name
    where a.balance <> coalesce(l.total, 0)
    union all
    select format('%s adds up to %s', professional_id, sum(balance)) from credit_accounts
    group by professional_id having sum(balance) <> 0
    union all
    select format('%s %s is below zero', professional_id, name) from credit_accounts
    where balance < 0 and name not in ('granted', 'sold')
    union all
    select format('%s has %s legs that sum to %s', transfer_id, count(*), sum(amount)) from credit_legs
    group by transfer_id having count(*) <> 2 or sum(amount) <> 0
    union all
    select format('task %s is %s, its transfers are %s', t.id, t.status, c.kinds) from metered_tasks t
    left join lateral (
      select string_agg(kind, ',' order by kind desc) as kinds from credit_transfers c
      where c.professional_id = t.professional_id and c.task_id = t.id) c on true
    where c.kinds is distinct from
      case t.status when 'reserved' then 'reserve' when 'settled' then 'settle,reserve' else 'reserve,release' end
    union all
    select format('%s %s holds %s, its tasks are %s', a.professional_id, a.name, a.balance, t.tasks)
    from credit_accounts a
    join lateral (
      select count(*) as tasks from metered_tasks t
      where t.professional_id = a.professional_id
        and t.status = case a.name when 'reserved' then 'reserved' else 'settled' end) t on true
    where a.name in ('reserved', 'spent') and a.balance <> t.tasks`
  return rows.map(({ fault }) => fault)
}
