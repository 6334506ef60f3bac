// The older build of `--against` as a contender in a scenario's rounds, and the ratios to it.
import type { Bench, HttpOptions } from './bench.ts'
import type { LoadRequest, Requests } from './http-load.ts'
import type { Aim } from './result.ts'
import { type Contender, type Sample, type Samples, cpuOf, rateOf, ratio } from './rounds.ts'
import { countSameResponses } from './same-responses.ts'

const NAME = 'older build'
const CHECKED = 20

/** The older build with the same requests; no contender without `--against`. */
export async function oldBuildContenders(
  bench: Bench,
  requests: Requests,
  options: HttpOptions = {},
): Promise<Contender[]> {
  const server = await bench.oldBuild()
  return server ? [bench.overHttp(NAME, server, requests, options)] : []
}

/** Logs how many responses of the older build are the same in the part that `view` selects. */
export async function checkOldBuild(
  bench: Bench,
  title: string,
  requests: readonly LoadRequest[],
  view: (body: unknown) => unknown,
): Promise<void> {
  const server = await bench.oldBuild()
  if (!server) return
  const checked = requests.slice(0, CHECKED)
  const same = await countSameResponses(await bench.hearth(), server, checked, view)
  bench.log(`${title}: the older build has the same response to ${same} of ${checked.length} requests`)
}

/** Targets of the ratios of CPU time; undefined ones are informational. */
interface Targets {
  cpu?: number
  postgres?: number
}

/** Ratios of Hearth to the older build: responses per second, and CPU time in total and by process. */
export function oldBuildAims(samples: Samples, targets: Targets = {}): Aim[] {
  const { Hearth: ours = [], [NAME]: old } = samples
  if (!old) return []
  const cpu = (name: string, metric: (sample: Sample) => number, target: number | undefined): Aim[] => {
    const value = ratio(ours, old, metric)
    // A process that used no clock tick has no ratio.
    if (!Number.isFinite(value.median)) return []
    return [{ name, value, lessIsBetter: true, ...(target === undefined ? {} : { target }) }]
  }
  return [
    { name: '× the older build', value: ratio(ours, old, rateOf), isListed: true },
    ...cpu('× CPU of the older build', cpuOf, targets.cpu).map((aim) => ({ ...aim, isListed: true })),
    ...cpu('× CPU of the older build, server', ({ cpuUs }) => cpuUs.server, undefined),
    ...cpu('× CPU of the older build, PostgreSQL', ({ cpuUs }) => cpuUs.postgres, targets.postgres),
    ...cpu('× CPU of the older build, Redis', ({ cpuUs }) => cpuUs.redis, undefined),
  ]
}
