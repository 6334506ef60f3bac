// The settings of connections: start-up parameters, or behind a pooler, which tracks only some of these, defaults of the role.
import type { Sql } from './database.ts'

type Settings = Readonly<Record<string, string>>

/**
 * A connection caches the plans of statements in functions. A plan made while a table is empty scans the whole table, also
 * while the table fills, until the next autoanalyze: for a minute each booking read all stored idempotent responses, at
 * eight times the cost. The statements of these pools look rows up by index.
 */
export const PREFER_INDEXES = { enable_seqscan: 'off' }

/** One plan of a statement file fits all parameters. */
export const GENERIC_PLANS = { ...PREFER_INDEXES, plan_cache_mode: 'force_generic_plan' }

/** All that Hearth depends on, because the role may have other defaults. Without a time limit statements have none. */
export const sessionSettings = (statementTimeoutMs = 0, settings: Settings = {}): Settings => ({
  // Compiling a short statement takes a hundred times as long as running it.
  jit: 'off',
  // The driver leaves the number 0 out.
  statement_timeout: String(statementTimeoutMs),
  enable_seqscan: 'on',
  plan_cache_mode: 'auto',
  // Wake-ups are asked for by notices (wake-ups.ts).
  client_min_messages: 'notice',
  ...settings,
})

/** Makes the settings defaults of the current role in this database. Returns the names of those that were different. */
export async function saveRoleSettings(sql: Sql, settings: Settings): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from save_role_settings(${JSON.stringify(settings)}::text::jsonb) name`
  return rows.map(({ name }) => name)
}

/** The names of the settings whose value on a connection is different. A connection over a socket has none of TCP. */
export async function differentSettings(sql: Sql, settings: Settings): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from pg_settings join jsonb_each_text(${JSON.stringify(settings)}::text::jsonb) wanted on key = name
    where setting <> value and (inet_client_addr() is not null or name not like 'tcp%') order by name`
  return rows.map(({ name }) => name)
}
