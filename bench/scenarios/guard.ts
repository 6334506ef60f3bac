// The CPU time that the guard (identity, scope, limits, headers) adds to a cached catalog read, compared with the same server
// without it. Requests of callers with much left are decided at once; what they used is sent to Redis in batches.
import type { Bench, Scenario } from '../support/bench.ts'
import { type LoadRequest, writeRequests } from '../support/http-load.ts'
import { type Aim, type Metrics, type Row, metricsOfAll } from '../support/result.ts'
import { type Sample, cpuOf, measureInTurns, ratio } from '../support/rounds.ts'

const MAX_RATIO = 1.25
const CONNECTIONS = 64
const PATHS = { services: 'services', pricing: 'pricing?service=drain-cleaning' }
const QUICK_PATHS = { pricing: PATHS.pricing }
/** Groups of callers that are measured. */
const GROUPS = { full: 4, quick: 1, smoke: 3 }
/** The page whose widget keys are used. */
const ORIGIN = 'https://shop.example'

/** A group of callers. Their limits are high enough that no request is refused. */
interface Callers {
  id: string
  title: string
  count: number
  /** The first half of their IPv4 addresses. Undefined: they have keys. */
  network?: string
  /** Whether the keys are those of a widget in a page. */
  isWidget?: boolean
  /** PUBLIC_RATE_PER_MINUTE for addresses, the rate multiplier for keys. */
  limit: number
  /** Whether they are few, so that an exchange with Redis counts many requests of each. */
  areFew: boolean
}

const CALLERS: readonly Callers[] = [
  { id: 'addresses', title: '20 addresses', count: 20, network: '198.51', limit: 1_000_000, areFew: true },
  { id: 'keys', title: '20 keys', count: 20, limit: 10_000, areFew: true },
  { id: 'widgets', title: '20 widget keys', count: 20, isWidget: true, limit: 10_000, areFew: true },
  {
    id: 'many-addresses',
    title: '8,000 addresses, nearly each request counted in Redis on its own',
    count: 8000,
    network: '203.0',
    limit: 9000,
    areFew: false,
  },
]

const serverOf = ({ cpuUs }: Sample) => cpuUs.server

export const guard: Scenario = {
  name: 'guard',
  async run(bench: Bench): Promise<Row[]> {
    const rows: Row[] = []
    for (const callers of CALLERS.slice(0, bench.amount(GROUPS))) rows.push(await rowOf(bench, callers))
    return rows
  },
}

async function rowOf(bench: Bench, callers: Callers): Promise<Row> {
  const { id, title, limit, network, areFew } = callers
  const env: Record<string, string> = network ? { PUBLIC_RATE_PER_MINUTE: String(limit) } : {}
  const guarded = await bench.hearth({ name: `guard ${env['PUBLIC_RATE_PER_MINUTE'] ?? ''}`, env })
  const unguarded = await bench.hearth({ preload: './bench/support/without-guard.ts' })
  const headers = await createHeaders(bench, callers)
  const [metrics, aims]: [Metrics[], Aim[]] = [[], []]
  for (const [name, path] of Object.entries(bench.options.quick ? QUICK_PATHS : PATHS)) {
    const requests = writeRequests(`guard-${id}-${name}`, requestsOf(`/api/v1/${path}`, headers))
    const samples = await measureInTurns(
      [
        bench.overHttp(`/${name}, with the guard`, guarded, requests, { connections: CONNECTIONS }),
        bench.overHttp(`/${name}, without the guard`, unguarded, requests, { connections: CONNECTIONS }),
      ],
      bench.options.rounds,
    )
    const [withGuard = [], withoutGuard = []] = Object.values(samples)
    metrics.push(...metricsOfAll(samples))
    aims.push(
      {
        name: `× CPU of the server without the guard, /${name}`,
        value: ratio(withGuard, withoutGuard, serverOf),
        lessIsBetter: true,
        isListed: true,
        ...(areFew ? { target: MAX_RATIO, isRequired: isRequired(callers, bench) } : {}),
      },
      {
        name: `× CPU of server, PostgreSQL and Redis without the guard, /${name}`,
        value: ratio(withGuard, withoutGuard, cpuOf),
        lessIsBetter: true,
      },
    )
  }
  return { id: `guard-${id}`, title: `The guard: ${title}`, metrics, aims }
}

/**
 * Addresses meet their aim; keys do not yet. A quick run ends before the JIT compiler has finished, and on a busy machine nothing is
 * required.
 */
const isRequired = ({ network }: Callers, { options }: Bench) =>
  network !== undefined && !options.quick && !options.noisy

/** Creates the headers that identify each caller. */
async function createHeaders(
  bench: Bench,
  { count, limit, network, isWidget }: Callers,
): Promise<Record<string, string>[]> {
  if (network)
    return Array.from({ length: count }, (_, n) => ({ 'x-forwarded-for': `${network}.${n >> 8}.${n & 255}` }))
  const scopes = isWidget ? (['widget:public'] as const) : (['services:read', 'pricing:read'] as const)
  const keys = await bench.createKeys(scopes, count, { rateMultiplier: limit, ...(isWidget ? { origin: ORIGIN } : {}) })
  return keys.map((key) => ({ authorization: `Bearer ${key}`, ...(isWidget ? { origin: ORIGIN } : {}) }))
}

/** Each connection sends every 64th request of the list, so few callers are arranged to take turns on every connection. */
function requestsOf(path: string, headers: readonly Record<string, string>[]): LoadRequest[] {
  const all = headers.map((each) => ({ path, headers: each }))
  if (all.length >= CONNECTIONS) return all
  return Array.from({ length: all.length * CONNECTIONS }, (_, place) => {
    const [turn, connection] = [Math.floor(place / CONNECTIONS), place % CONNECTIONS]
    return all[(turn + connection) % all.length] ?? { path }
  })
}
