// What an earlier run found, to see whether something became worse: ratios only, because absolute figures are of a machine.
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
  /** The share by which they may differ. */
  allowed: number
  verdict: Verdict
}

const formOf = ({ quick }: Report) => (quick ? 'quick' : 'full')

export const readBaseline = (): Baseline =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Baseline) : {}

/** How each value of the report stands beside the baseline; those that the baseline lacks are left out. */
export function changesOf(report: Report, baseline: Baseline): Change[] {
  const known = baseline[formOf(report)] ?? {}
  return report.rows.flatMap(({ id, aims }) =>
    aims.flatMap((aim: Aim): Change[] => {
      const before = known[id]?.[aim.name]
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

/** Makes what was measured the baseline; what was not measured stays. */
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
