// The results of earlier runs, by form: to detect regressions, and for the table in bench/README.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Aim, Report, Row } from '../support/result.ts'
import { type Verdict, allowance, compare } from '../support/statistics.ts'

const FILE = join(import.meta.dir, '../baseline.json')

/** `full` and `quick` detect regressions; `noisy` tells a reader what a busy machine measures. */
export type Form = 'full' | 'quick' | 'noisy'

/** A row without what differs between machines. */
export type BaselineRow = Pick<Row, 'id' | 'scenario' | 'title' | 'aims'> & {
  /** The day on which it was measured. */
  on: string
}

/** A run. Rows may be of later runs of some scenarios. */
export interface BaselineRun {
  on: string
  commit: string
  /** The commit of the older build. */
  against?: string
  pros: number
  machine: Report['machine']
  /** Seconds that each scenario took. */
  seconds: Record<string, number>
  rows: BaselineRow[]
}

export type Baseline = Partial<Record<Form, BaselineRun>>

export interface Change {
  row: string
  aim: string
  before: number
  now: number
  /** The largest relative difference that counts as noise. */
  allowed: number
  verdict: Verdict
}

export const readBaseline = (): Baseline =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Baseline) : {}

/** Compares each value that has a target with the baseline. Values that the baseline lacks are left out. */
export function compareWithBaseline({ rows }: Report, before: BaselineRun | undefined): Change[] {
  return rows.flatMap(({ id, aims }) => {
    const row = before?.rows.find((one) => one.id === id)
    return aims.flatMap((aim): Change[] => {
      const earlier = row?.aims.find(({ name }) => name === aim.name)?.value
      if (!earlier || aim.target === undefined) return []
      const [now, allowed] = [aim.value.median, allowance(aim.value, earlier)]
      const verdict = compare(aim.value, earlier, aim.lessIsBetter)
      return [{ row: id, aim: aim.name, before: earlier.median, now, allowed, verdict }]
    })
  })
}

/** Which scenarios a run comprised. */
export interface Coverage {
  /** The names of all scenarios, in the order of the table. */
  all: readonly string[]
  selected: readonly string[]
  failed: readonly string[]
}

/**
 * Adds a run to a baseline. Rows of scenarios that were not selected or failed keep their values, so that a run of some
 * scenarios, or with a failed one, updates its own part.
 */
export function mergeRun(
  before: BaselineRun | undefined,
  report: Report,
  { all, selected, failed }: Coverage,
): BaselineRun {
  const on = report.at.slice(0, 10)
  const measured = report.rows.map(({ id, scenario, title, aims }) => {
    const kept = aims.filter(({ target, isListed }) => target !== undefined || isListed)
    return { id, title, on, aims: kept, ...(scenario === undefined ? {} : { scenario }) }
  })
  const ids = new Set(measured.map(({ id }) => id))
  const replaced = new Set(selected.filter((name) => !failed.includes(name)))
  const sizes = new Set(measured.map(({ id }) => sizeOf(id)))
  const isKept = ({ id, scenario = '' }: BaselineRow) =>
    !ids.has(id) && all.includes(scenario) && (!replaced.has(scenario) || !sizes.has(sizeOf(id)))
  const rows = [...measured, ...(before?.rows ?? []).filter(isKept)]
  // A run of some scenarios, or with another number of pros, leaves the head of the table.
  const placeOf = ({ scenario = '' }: BaselineRow) => all.indexOf(scenario)
  const isWhole = !before || (selected.length === all.length && sizes.has(undefined))
  const head = isWhole ? { on, commit: report.commit, pros: report.pros, machine: report.machine } : before
  const against = report.against ?? before?.against
  return {
    on: head.on,
    commit: head.commit,
    ...(against === undefined ? {} : { against }),
    pros: head.pros,
    machine: head.machine,
    seconds: { ...before?.seconds, ...report.seconds },
    rows: rows.toSorted((one, other) => placeOf(one) - placeOf(other)),
  }
}

/** The unusual number of pros of a row such as `growth-5000000`. */
export const sizeOf = (id: string): string | undefined => /-(\d{5,})$/.exec(id)?.[1]

export const writeBaseline = (baseline: Baseline): void =>
  writeFileSync(FILE, `${JSON.stringify(baseline, (_, value: unknown) => rounded(value), 2)}\n`)

/** Six digits, so that the file stays readable. */
const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(6)) : value)

/** Seconds that these scenarios took in the baseline; undefined when it lacks one. */
export function estimateSeconds(run: BaselineRun | undefined, names: readonly string[]): number | undefined {
  const seconds = names.map((name) => run?.seconds[name])
  return seconds.reduce<number | undefined>(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  )
}

/** The aim of a row of a run. */
export const findAim = (run: BaselineRun | undefined, id: string, name: string): Aim | undefined =>
  run?.rows.find((row) => row.id === id)?.aims.find((aim) => aim.name === name)
