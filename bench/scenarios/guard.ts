// The CPU that the guard (identity, scope, limits, headers) adds to a cached catalog read, against the same server without
// it. Callers with plenty left are counted in advance; of others each request waits for Redis.
import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import { type LoadRequest, keepRequests } from '../support/http-load.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { type Sample, cpuOf, race, ratio } from '../support/rounds.ts'

const ALLOWED = 1.25
const CONNECTIONS = 64
const PATHS = { services: 'services', cities: 'cities', pricing: 'pricing?service=drain-cleaning' }
const QUICK_PATHS = { pricing: PATHS.pricing }

/** The callers. Their limits are so high that none is refused. */
interface Callers {
  id: string
  title: string
  count: number
  /** The first half of their addresses; without one they have keys. */
  network?: string
  /** PUBLIC_RATE_PER_MINUTE for addresses, the multiplier of their limits for keys. */
  limit: number
  /** They have over 10,000 left. */
  haveMuchLeft: boolean
}

const CALLERS: readonly Callers[] = [
  { id: 'addresses', title: '20 addresses', count: 20, network: '198.51', limit: 1_000_000, haveMuchLeft: true },
  { id: 'keys', title: '20 keys', count: 20, limit: 10_000, haveMuchLeft: true },
  {
    id: 'many-addresses',
    title: '8,000 addresses, each request counted by itself',
    count: 8000,
    network: '203.0',
    limit: 9000,
    haveMuchLeft: false,
  },
]

const serverOf = ({ cpuUs }: Sample) => cpuUs.server

export const guard: Scenario = {
  name: 'guard',
  async run(bench: Bench): Promise<Row[]> {
    const rows: Row[] = []
    for (const callers of bench.options.quick ? CALLERS.slice(0, 1) : CALLERS)
      rows.push(...(await rowsOf(bench, callers)))
    return rows
  },
}

async function rowsOf(bench: Bench, callers: Callers): Promise<Row[]> {
  const { id, title, limit, network, haveMuchLeft } = callers
  const env: Record<string, string> = network ? { PUBLIC_RATE_PER_MINUTE: String(limit) } : {}
  const guarded = await bench.hearth({ name: `guard ${env['PUBLIC_RATE_PER_MINUTE'] ?? ''}`, env })
  const open = await bench.hearth({ preload: './bench/support/without-guard.ts' })
  const headers = await headersOf(bench, callers)
  const rows: Row[] = []
  for (const [name, path] of Object.entries(bench.options.quick ? QUICK_PATHS : PATHS)) {
    const requests = keepRequests(`guard-${id}-${name}`, requestsOf(`/api/v1/${path}`, headers))
    const samples = await race(
      [
        bench.overHttp('with the guard', guarded, requests, { connections: CONNECTIONS }),
        bench.overHttp('without', open, requests, { connections: CONNECTIONS }),
      ],
      bench.options.rounds,
    )
    const { 'with the guard': with_ = [], without = [] } = samples
    rows.push({
      id: `guard-${id}-${name}`,
      title: `GET /${name} with and without the guard, ${title}`,
      figures: figuresOfAll(samples),
      aims: [
        {
          name: '× the CPU of the server without the guard',
          value: ratio(with_, without, serverOf),
          lessIsBetter: true,
          // Not in the quick form, in which compilers have not settled.
          ...(haveMuchLeft ? { target: ALLOWED, isRequired: !bench.options.quick } : {}),
        },
        { name: '× the CPU of server and Redis', value: ratio(with_, without, cpuOf), lessIsBetter: true },
      ],
    })
  }
  return rows
}

/** The headers that each caller sends. */
async function headersOf(bench: Bench, { count, limit, network }: Callers): Promise<Record<string, string>[]> {
  if (network)
    return Array.from({ length: count }, (_, n) => ({ 'x-forwarded-for': `${network}.${n >> 8}.${n & 255}` }))
  const { data, stores } = bench.options
  const deps = openDeps(readConfig({ DATABASE_URL: data.url, REDIS_URL: stores.redisUrl, LOG_LEVEL: 'error' }))
  const scopes = ['services:read', 'pros:read', 'pricing:read'] as const
  const key = { ownerEmail: 'bench@example.com', name: 'bench', rateMultiplier: limit, scopes }
  try {
    const made = await Promise.all(Array.from({ length: count }, () => createKey(deps, key)))
    return made.map(({ secret }) => ({ authorization: `Bearer ${secret}` }))
  } finally {
    await deps.close()
  }
}

/**
 * Each connection sends every 64th of a list, over and over: few callers stand in it so that each connection is all of
 * them, one after the other.
 */
function requestsOf(path: string, headers: readonly Record<string, string>[]): LoadRequest[] {
  const all = headers.map((each) => ({ path, headers: each }))
  if (all.length >= CONNECTIONS) return all
  return Array.from({ length: all.length * CONNECTIONS }, (_, place) => {
    const [turn, connection] = [Math.floor(place / CONNECTIONS), place % CONNECTIONS]
    return all[(turn + connection) % all.length] ?? { path }
  })
}
