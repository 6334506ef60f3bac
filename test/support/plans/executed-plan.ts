// The plan with which PostgreSQL ran a statement, from the server itself (auto_explain): with bound parameters, as the program runs it.
import { postgresClient } from '../../../src/platform/postgres/client.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { POSTGRES_TYPES } from '../../../src/platform/postgres/types.ts'
import { runner } from '../../../src/platform/postgres/runner.ts'
import type { PlanNode } from './read-plans.ts'

/** PostgreSQL may switch to the generic plan of a prepared statement from the sixth execution on. */
const EXECUTIONS = 7

/** A node of a plan that ran. */
export type ExecutedNode = PlanNode & { 'Actual Loops': number; 'Actual Rows': number }

/** Runs the program's statement files on one connection, as a server does. */
export const runnerOn = (sql: Sql) =>
  runner(() => sql, { waitLimitMs: 10_000, onRetry: () => undefined, onUnavailable: () => undefined, answered: 0 })

/** The nodes that ran in the last of several executions of a prepared statement. `run` executes it once. */
export async function executedNodes(
  databaseUrl: string,
  run: (sql: Sql) => PromiseLike<unknown>,
): Promise<ExecutedNode[]> {
  const notices: string[] = []
  const onnotice = ({ message }: { message?: string }) => void notices.push(message ?? '')
  const sql = postgresClient(databaseUrl, { max: 1, types: POSTGRES_TYPES, onnotice })
  try {
    await sql`load 'auto_explain'`
    await sql`
      select set_config('auto_explain.' || name, value, false) from (values
        ('log_min_duration', '0'), ('log_analyze', 'on'), ('log_format', 'json'), ('log_level', 'notice')) setting (name, value)`
    for (let times = 0; times < EXECUTIONS; times++) {
      notices.length = 0
      await run(sql)
    }
  } finally {
    await sql.end()
  }
  const explained = notices.findLast((notice) => notice.includes('plan:')) ?? ''
  const { Plan: plan } = JSON.parse(explained.slice(explained.indexOf('{'))) as { Plan: ExecutedNode }
  return nodesIn(plan).filter((node) => node['Actual Loops'] > 0)
}

const nodesIn = (node: ExecutedNode): ExecutedNode[] => [
  node,
  ...((node.Plans ?? []) as ExecutedNode[]).flatMap(nodesIn),
]
