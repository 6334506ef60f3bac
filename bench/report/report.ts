// The report of a run: its contents and its JSON file.
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'

import type { Bench } from '../support/bench.ts'
import type { Report, Row } from '../support/result.ts'
import { BENCH_FOLDER, ROOT } from '../support/stores.ts'

/** Combines the measured rows with the machine, commit and data they were measured on. */
export async function createReport(
  { data, options: { quick, against } }: Bench,
  rows: Row[],
  seconds: Record<string, number>,
): Promise<Report> {
  const [row] = await data.sql<{ version: string }[]>`select current_setting('server_version') as version`
  const git = Bun.spawnSync(['git', 'describe', '--always', '--dirty'], { cwd: ROOT })
  const cpuList = cpus()
  return {
    at: new Date().toISOString(),
    commit: git.success ? git.stdout.toString().trim() : 'unknown',
    machine: {
      cpu: cpuList[0]?.model ?? 'unknown',
      cores: cpuList.length,
      memoryGb: Math.round(totalmem() / 1024 ** 3),
      postgres: row?.version ?? 'unknown',
    },
    pros: data.pros,
    quick,
    ...(against ? { against: against.commit } : {}),
    seconds,
    rows,
  }
}

/** The report of the last run. */
export const REPORT_FILE = join(BENCH_FOLDER, 'report.json')

/** Writes the report as JSON. */
export const writeReport = (report: Report): void => writeFileSync(REPORT_FILE, `${JSON.stringify(report, null, 2)}\n`)
