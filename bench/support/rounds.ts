// Contenders measured in alternating rounds: what disturbs the machine disturbs all of them, and ratios stay fair.
import { type Estimate, estimate } from './statistics.ts'

/** What one contender did in one round. */
export interface Sample {
  perSecond: number
  /** ms; undefined where only rates are known. */
  p50Ms?: number
  p99Ms?: number
  /** CPU time per answer of what serves, in µs: the client's is not in it. */
  cpuUs: { server: number; postgres: number; redis: number }
  /** How much of a core each client used; undefined where it is not known. */
  clientCores?: number
}

export interface Contender {
  readonly name: string
  measure(seconds: number): Promise<Sample>
}

export interface Rounds {
  rounds: number
  seconds: number
  /** Before the first round, each contender alone until it costs no less from one second to the next, at most so long. */
  warmUpSeconds: number
}

export type Samples<Name extends string = string> = Record<Name, Sample[]>

/** Measures all contenders in turn, each of them first as often as the others. */
export async function race(
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

/** Less than this from one step to the next is no progress. */
const PROGRESS = 0.05

/** Caches fill and compilers settle; on a busy machine that takes long. */
async function warmUp(contender: Contender, seconds: number, step: number): Promise<void> {
  let last = Infinity
  for (let done = 0; done < seconds; done += step) {
    const cost = cpuOf(await contender.measure(step))
    if (cost > last * (1 - PROGRESS)) return
    last = cost
  }
}

/** The ratio of a figure of two contenders, round by round. */
export function ratio(one: readonly Sample[], other: readonly Sample[], figure: (sample: Sample) => number): Estimate {
  return estimate(
    one.flatMap((sample, round) => {
      const against = other[round]
      return against ? [figure(sample) / figure(against)] : []
    }),
  )
}

export const rateOf = ({ perSecond }: Sample): number => perSecond
/** CPU time of everything that serves. */
export const cpuOf = ({ cpuUs }: Sample): number => cpuUs.server + cpuUs.postgres + cpuUs.redis
