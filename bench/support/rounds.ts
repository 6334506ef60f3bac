// Measures contenders in alternating rounds, so that disturbances affect all of them and ratios stay fair.
import { type Estimate, estimate } from './statistics.ts'

/** The results of one contender in one round. */
export interface Sample {
  perSecond: number
  /** Latencies that the percentiles rest on. Undefined when only rates are measured. */
  samples?: number
  /** ms. Undefined of too few samples. */
  p50Ms?: number
  p99Ms?: number
  /** CPU time per response in µs, without the client's. */
  cpuUs: { server: number; postgres: number; redis: number }
  /** Share of a core that each client used. */
  clientCores?: number
}

export interface Contender {
  readonly name: string
  measure(seconds: number): Promise<Sample>
}

export interface Rounds {
  rounds: number
  seconds: number
  /** The longest warm-up of a contender. It ends when the CPU time per response no longer falls. */
  warmUpSeconds: number
  /** The start of the load clients in each round, which is not measured. */
  startSeconds: number
}

export type Samples<Name extends string = string> = Record<Name, Sample[]>

/** Warms up all contenders, then measures them in turn. The one that starts changes from round to round. */
export async function measureInTurns(
  contenders: readonly Contender[],
  { rounds, seconds, warmUpSeconds }: Rounds,
): Promise<Samples> {
  for (const contender of contenders) await warmUp(contender, warmUpSeconds, Math.min(1, seconds))
  const samples: Samples = Object.fromEntries(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const place of contenders.keys()) {
      const contender = contenders[(place + round) % contenders.length]
      if (contender) samples[contender.name]?.push(await contender.measure(seconds))
    }
  return samples
}

/** The smallest relative decrease in CPU time that continues the warm-up. */
const MIN_PROGRESS = 0.05

/** Fills caches and lets JIT compilers finish. */
async function warmUp(contender: Contender, seconds: number, step: number): Promise<void> {
  let last = Infinity
  for (let done = 0; done < seconds; done += step) {
    const cost = cpuOf(await contender.measure(step))
    if (cost > last * (1 - MIN_PROGRESS)) return
    last = cost
  }
}

/** Estimates the ratio of a metric of two contenders from its value in each round. */
export function ratio(one: readonly Sample[], other: readonly Sample[], metric: (sample: Sample) => number): Estimate {
  return estimate(
    one.flatMap((sample, round) => {
      const against = other[round]
      return against ? [metric(sample) / metric(against)] : []
    }),
  )
}

/** The ratio to another contender; nothing when it did not run. */
export const ratioTo = (samples: Samples, other: string, metric: (sample: Sample) => number): Estimate[] =>
  samples[other] ? [ratio(samples['Hearth'] ?? [], samples[other], metric)] : []

export const rateOf = ({ perSecond }: Sample): number => perSecond
/** CPU time of server, PostgreSQL and Redis. */
export const cpuOf = ({ cpuUs }: Sample): number => cpuUs.server + cpuUs.postgres + cpuUs.redis
