// What a scenario found, as the table, the page and the baseline show it.
import { type Sample, type Samples, cpuOf, rateOf } from './rounds.ts'
import { type Estimate, estimate } from './statistics.ts'

/** One contender's figures. */
export interface Figures {
  name: string
  /** Answers per second. */
  perSecond?: Estimate
  /** ms */
  p50Ms?: Estimate
  p99Ms?: Estimate
  /** CPU time per answer, in µs. */
  cpuUs?: Estimate
  /** Whose CPU time it is. */
  cpuParts?: { server: number; postgres: number; redis: number }
  /** How much of a core each client used. */
  clientCores?: Estimate
  /** Answers per second, round by round. */
  rates?: number[]
}

/** Lines to draw besides the rates. */
export interface Chart {
  xLabel: string
  yLabel: string
  x: number[]
  lines: { name: string; values: number[] }[]
}

/** A ratio (or a figure) that should be at least, or at most, so much. */
export interface Aim {
  /** Such as `× Fastify + Drizzle`. */
  name: string
  value: Estimate
  /** Missing where a figure is only told. */
  target?: number
  /** The aim is to stay below. */
  lessIsBetter?: boolean
  unit?: string
  /** A promise, not a hope: a run that misses it fails, whatever the baseline says. */
  isRequired?: boolean
}

export interface Row {
  /** Of the scenario, as on the command line, and what of it: `search-service`. */
  id: string
  title: string
  figures: Figures[]
  aims: Aim[]
  /** What the reader should know about how it was measured. */
  remark?: string
  chart?: Chart
}

export interface Report {
  at: string
  commit: string
  machine: { cpu: string; cores: number; memoryGb: number; postgres: string }
  pros: number
  quick: boolean
  rows: Row[]
}

function figuresOf(name: string, samples: readonly Sample[]): Figures {
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
    cpuUs: of(cpuOf),
    clientCores: of(({ clientCores }) => clientCores),
    rates: samples.map(rateOf),
    cpuParts: { server: part('server'), postgres: part('postgres'), redis: part('redis') },
  }
}

/** Whether an aim is reached; undefined where there is none. */
export function isMet({ value, target, lessIsBetter }: Aim): boolean | undefined {
  if (target === undefined) return undefined
  return lessIsBetter ? value.median <= target : value.median >= target
}

/** What a report promises and does not keep. */
export const missedOf = ({ rows }: Pick<Report, 'rows'>): { row: string; aim: string }[] =>
  rows.flatMap(({ id, aims }) =>
    aims.filter((aim) => aim.isRequired && isMet(aim) === false).map(({ name }) => ({ row: id, aim: name })),
  )

/** The figures of all contenders of a race. */
export const figuresOfAll = (samples: Samples): Figures[] =>
  Object.entries(samples).map(([name, of]) => figuresOf(name, of))
