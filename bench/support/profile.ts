// `--profile`: writes CPU profiles of the servers and plans of the statements to files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Sql } from '../../src/platform/postgres/database.ts'
import { type Parameter, literal } from './pgbench.ts'
import { BENCH_FOLDER } from './stores.ts'

export const PROFILE_FOLDER = join(BENCH_FOLDER, 'profile')

/** PostgreSQL may switch to a generic plan after five custom plans. */
const GENERIC_PLAN_AFTER = 6
const EXPLAINED_CALLS = 5

/** Bun's options to write a CPU profile at exit, for browser tools and as Markdown. */
export const profilerOptions = (name: string): string[] => [
  '--cpu-prof',
  '--cpu-prof-md',
  `--cpu-prof-dir=${PROFILE_FOLDER}`,
  `--cpu-prof-name=${name.replaceAll(/\W+/g, '-')}`,
]

/** Writes the plans of some calls with buffers and times. The statement is prepared and used before, as in the server. */
export async function writePlans(sql: Sql, name: string, statement: string, calls: readonly (readonly Parameter[])[]) {
  mkdirSync(PROFILE_FOLDER, { recursive: true })
  const texts = await sql.begin(async (tx) => {
    await tx.unsafe(`prepare explained as ${statement}`)
    const executions = calls
      .slice(0, EXPLAINED_CALLS)
      .map((call) => `execute explained(${call.map(literal).join(', ')})`)
    for (let n = 0; n < GENERIC_PLAN_AFTER; n++) await tx.unsafe(executions[0] ?? '')
    const plans: string[] = []
    for (const execution of executions) {
      const rows = await tx.unsafe<Record<string, string>[]>(`explain (analyze, buffers) ${execution}`)
      plans.push(rows.map((row) => Object.values(row)[0]).join('\n'))
    }
    await tx`deallocate explained`
    return plans
  })
  writeFileSync(join(PROFILE_FOLDER, `${name}.plans.txt`), `${texts.join('\n\n')}\n`)
}
