// The floor of a read as a contender: what the stack costs without Hearth, and the share of the server's CPU that is Hearth's own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Bench } from './bench.ts'
import { fromManyAddresses } from './addresses.ts'
import type { Requests } from './http-load.ts'
import type { Parameter } from './pgbench.ts'
import type { Aim } from './result.ts'
import { type Contender, type Sample, type Samples, rateOf, ratio } from './rounds.ts'
import { estimate } from './statistics.ts'
import type { TestedServer } from './servers.ts'
import { BENCH_FOLDER, ROOT } from './stores.ts'

const NAME = 'floor'
/** Requests whose responses are compared before the rounds. */
const CHECKED = 20
/** The largest share of the server's CPU of a search that may be Hearth's own: validation, identity, limits, headers, traces. */
const MAX_OWN_SHARE = 0.15

/** What the floor's server reads. */
export interface FloorCalls {
  text: string
  /** The column with the text of the response. */
  column: string
  /** The parameters by path with query. */
  paths: Record<string, readonly Parameter[]>
}

/** The floor with the same requests: `calls` are the statement's parameters for the path of the same place. */
export async function floorContender(
  bench: Bench,
  name: string,
  requests: Requests,
  {
    text,
    column,
    paths,
    calls,
  }: Omit<FloorCalls, 'paths'> & {
    paths: readonly string[]
    calls: readonly (readonly Parameter[])[]
  },
): Promise<Contender> {
  const folder = join(BENCH_FOLDER, 'floor')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.json`)
  const byPath = Object.fromEntries(paths.map((path, place) => [normal(path), calls[place] ?? []]))
  writeFileSync(file, JSON.stringify({ text, column, paths: byPath } satisfies FloorCalls))
  const command = [process.execPath, join(ROOT, 'bench/peers/floor.ts')]
  const server = await bench.server(`floor ${name}`, command, '/ready', { CALLS: file })
  await expectSameText([await bench.hearth(), server], column, paths.slice(0, CHECKED))
  return bench.overHttp(NAME, server, requests)
}

/** Throws when the floor answers another text than Hearth, whose response is the column's or has it as a member. */
async function expectSameText(
  [hearth, floor]: readonly [TestedServer, TestedServer],
  column: string,
  paths: readonly string[],
): Promise<void> {
  const requests = paths.map((path) => ({ path }))
  for (const { path, headers = {} } of fromManyAddresses(requests, requests.length)) {
    const [ours = '', theirs = ''] = await Promise.all(
      [hearth, floor].map(async ({ url }) => (await fetch(url + path, { headers })).text()),
    )
    // Hearth adds members at the end of a body.
    const isSame =
      ours.startsWith(`{"${column}":${theirs},`) || (theirs.length > 2 && ours.startsWith(theirs.slice(0, -1)))
    if (!isSame) throw new Error(`${path} has different responses:\n${ours}\n${theirs}`)
  }
}

/** As the URL parser of a server writes it. */
function normal(path: string): string {
  const { pathname, search } = new URL(path, 'http://server')
  return pathname + search
}

/** Hearth beside the floor: the rate, and the share of the server's CPU that is Hearth's own. */
export function floorAims(samples: Samples, { isSearch = false } = {}): Aim[] {
  const { Hearth: ours = [], [NAME]: floor = [] } = samples
  const shares = ours.flatMap((sample, round) => ownShare(sample, floor[round]) ?? [])
  return [
    { name: '× floor', value: ratio(ours, floor, rateOf), isListed: true },
    {
      name: 'of the server’s CPU is Hearth’s own',
      value: estimate(shares),
      lessIsBetter: true,
      isListed: true,
      ...(isSearch ? { target: MAX_OWN_SHARE } : {}),
    },
  ]
}

const ownShare = (ours: Sample, floor: Sample | undefined): number | undefined =>
  floor && 1 - floor.cpuUs.server / ours.cpuUs.server
