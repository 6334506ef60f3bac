// The results of an earlier run, to detect regressions: ratios only, because absolute values depend on the machine.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Aim, Report } from '../support/result.ts'
import { type Estimate, type Verdict, allowance, compare } from '../support/statistics.ts'

const FILE = join(import.meta.dir, '../baseline.json')

/** Values by form (`full`, `quick`), row and aim. */
type Baseline = Record<string, Record<string, Record<string, Estimate>>>

export interface Change {
  row: string
  aim: string
  before: number
  now: number
  /** The largest relative difference that counts as noise. */
  allowed: number
  verdict: Verdict
}

const formOf = ({ quick }: Report) => (quick ? 'quick' : 'full')

export const readBaseline = (): Baseline =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Baseline) : {}

/** Compares each value of the report with the baseline. Values that the baseline lacks are left out. */
export function compareWithBaseline(report: Report, baseline: Baseline): Change[] {
  const baselineRows = baseline[formOf(report)] ?? {}
  return report.rows.flatMap(({ id, aims }) =>
    aims.flatMap((aim: Aim): Change[] => {
      const before = baselineRows[id]?.[aim.name]
      if (!before || aim.target === undefined) return []
      return [
        {
          row: id,
          aim: aim.name,
          before: before.median,
          now: aim.value.median,
          allowed: allowance(aim.value, before),
          verdict: compare(aim.value, before, aim.lessIsBetter),
        },
      ]
    }),
  )
}

/** Writes the measured values to the baseline. Rows that were not measured keep theirs. */
export function writeBaseline(report: Report): void {
  const baseline = readBaseline()
  const form = formOf(report)
  const rows = { ...baseline[form] }
  for (const { id, aims } of report.rows)
    rows[id] = Object.fromEntries(
      aims.filter(({ target }) => target !== undefined).map(({ name, value }) => [name, value]),
    )
  writeFileSync(FILE, `${JSON.stringify({ ...baseline, [form]: rows }, null, 2)}\n`)
}
