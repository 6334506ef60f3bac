// The report of a run, as a file.
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'

import type { Bench } from '../support/bench.ts'
import type { Report, Row } from '../support/result.ts'
import { BENCH_FOLDER, ROOT } from '../support/stores.ts'

/** What was measured, on what. */
export async function reportOf({ data, options: { quick } }: Bench, rows: Row[]): Promise<Report> {
  const [row] = await data.sql<{ version: string }[]>`select current_setting('server_version') as version`
  const git = Bun.spawnSync(['git', 'describe', '--always', '--dirty'], { cwd: ROOT })
  const processors = cpus()
  return {
    at: new Date().toISOString(),
    commit: git.success ? git.stdout.toString().trim() : 'unknown',
    machine: {
      cpu: processors[0]?.model ?? 'unknown',
      cores: processors.length,
      memoryGb: Math.round(totalmem() / 1024 ** 3),
      postgres: row?.version ?? 'unknown',
    },
    pros: data.pros,
    quick,
    rows,
  }
}

/** Where the last report is. */
export const REPORT_FILE = join(BENCH_FOLDER, 'report.json')

/** Keeps it for whoever compares. */
export const writeReport = (report: Report): void => writeFileSync(REPORT_FILE, `${JSON.stringify(report, null, 2)}\n`)
