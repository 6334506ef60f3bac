// The results of a scenario, which the table, the page and the baseline show.
import { type Sample, type Samples, cpuOf, rateOf } from './rounds.ts'
import { type Estimate, estimate } from './statistics.ts'

/** The metrics of one contender. */
export interface Metrics {
  name: string
  /** Responses per second. */
  perSecond?: Estimate
  /** ms */
  p50Ms?: Estimate
  p99Ms?: Estimate
  /** Latencies per round that the percentiles rest on. */
  samples?: Estimate
  /** CPU time per response, in µs. */
  cpuUs?: Estimate
  /** The CPU time by process. */
  cpuParts?: { server: number; postgres: number; redis: number }
  /** Share of a core that each client used. */
  clientCores?: Estimate
  /** Responses per second of each round. */
  rates?: number[]
}

/** A line chart, drawn instead of the rates. */
export interface Chart {
  xLabel: string
  yLabel: string
  x: number[]
  lines: { name: string; values: number[] }[]
}

/** A ratio or value with an optional target. */
export interface Aim {
  /** Such as `× Fastify + Drizzle`. */
  name: string
  value: Estimate
  /** Undefined: the value is informational. */
  target?: number
  /** Whether the table in bench/README.md lists a value without a target. */
  isListed?: boolean
  /** Whether the target is a maximum. */
  lessIsBetter?: boolean
  unit?: string
  /** Whether a run that misses the target fails, regardless of the baseline. */
  isRequired?: boolean
}

export interface Row {
  /** The name of the scenario, which reproduces the row on the command line. Set by the run. */
  scenario?: string
  /** The scenario's name and the part of it, such as `catalog-cities`. */
  id: string
  title: string
  metrics: Metrics[]
  aims: Aim[]
  /** A note about how it was measured. */
  remark?: string
  chart?: Chart
}

export interface Report {
  at: string
  commit: string
  machine: { cpu: string; cores: number; memoryGb: number; postgres: string }
  pros: number
  quick: boolean
  /** The commit of the older build of `--against`. */
  against?: string
  /** Seconds that each scenario took. */
  seconds: Record<string, number>
  rows: Row[]
}

function metricsOf(name: string, samples: readonly Sample[]): Metrics {
  const of = (figure: (sample: Sample) => number | undefined): Estimate | undefined => {
    const values = samples.flatMap((sample) => figure(sample) ?? [])
    return values.length > 0 ? estimate(values) : undefined
  }
  const part = (name: keyof Sample['cpuUs']) => estimate(samples.map(({ cpuUs }) => cpuUs[name])).median
  return {
    name,
    perSecond: of(rateOf),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    samples: of(({ samples }) => samples),
    cpuUs: of(cpuOf),
    clientCores: of(({ clientCores }) => clientCores),
    rates: samples.map(rateOf),
    cpuParts: { server: part('server'), postgres: part('postgres'), redis: part('redis') },
  }
}

/** Whether an aim is met. Undefined when it has no target. */
export function isMet({ value, target, lessIsBetter }: Aim): boolean | undefined {
  if (target === undefined) return undefined
  return lessIsBetter ? value.median <= target : value.median >= target
}

/** Lists the required aims that a report misses. */
export const listMissed = ({ rows }: { rows: readonly Pick<Row, 'id' | 'aims'>[] }): { row: string; aim: string }[] =>
  rows.flatMap(({ id, aims }) =>
    aims.filter((aim) => aim.isRequired && isMet(aim) === false).map(({ name }) => ({ row: id, aim: name })),
  )

/** The metrics of all contenders. */
export const metricsOfAll = (samples: Samples): Metrics[] =>
  Object.entries(samples).map(([name, of]) => metricsOf(name, of))

/** The rows of a scenario. Throws when there are none, when one has no values, or when a value is not a number. */
export function checkedRows(rows: readonly Row[]): readonly Row[] {
  if (rows.length === 0) throw new Error('The scenario has no rows.')
  for (const { id, metrics, aims } of rows) {
    const values = [...aims, ...metrics.flatMap(({ name, perSecond }) => (perSecond ? { name, value: perSecond } : []))]
    if (values.length === 0) throw new Error(`The row ${id} has no values.`)
    const empty = values.find(({ value }) => !Number.isFinite(value.median))
    if (empty) throw new Error(`The row ${id} has no value for “${empty.name}”.`)
  }
  return rows
}
