// Liveness and readiness of the process, for load balancers and supervisors.
import { Elysia } from 'elysia'

import { type Deps, oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { pendingMigrations } from '../platform/postgres/schema-files.ts'
import { checkRedis } from '../platform/redis/client.ts'
import { StoreUnavailable, asStoreError } from '../platform/store-error.ts'
import { probe } from '../auth/access.ts'
import { withDeadline } from '../platform/clock/deadlines.ts'
import { VERSION } from '../platform/version.ts'
import { guard } from './guard.ts'
import { problemResponse } from './problem.ts'

/** A store that takes longer is not ready. */
const CHECK_TIMEOUT_MS = 1000
/** Why a process is not ready before it starts to serve and after it was told to stop. */
const NOT_SERVING = { starting: 'the server is starting', shutting_down: 'the server is stopping' } as const

export interface Readiness {
  /** The names of the checks that fail now. */
  failedChecks(): Promise<string[]>
  /** 200, or 503 with a problem document whose `notReady` lists the failed checks. */
  respond(): Promise<Response>
  /**
   * Reports `starting` until {@link Readiness.listening}: load balancers probe the operators’ port before the public port is
   * open.
   */
  start(): void
  /** Reports the results of the checks from now on. */
  listening(): void
  /** Reports `shutting_down` from now on. */
  leave(): void
}

/** Throws {@link NotReady} or StoreUnavailable with the reason. */
type Check = () => Promise<void>

class NotReady extends Error {
  override readonly name = 'NotReady'
}

/** The readiness of this process. */
export const readinessOf = oncePerDeps((deps: Deps): Readiness => {
  const checks = checksOf(deps)
  // Probes come every second: a failing store is logged by the requests that need it, not here.
  const quiet = { ...deps, log: deps.log.child({}, { level: 'silent' }) }
  let phase: keyof typeof NOT_SERVING | undefined
  return {
    failedChecks: async () => (await failuresOf(checks)).map(({ name }) => name),
    start: () => void (phase = 'starting'),
    listening: () => void (phase = undefined),
    leave: () => void (phase = 'shutting_down'),
    respond: async () => {
      const failures = phase ? [{ name: phase, reason: NOT_SERVING[phase] }] : await failuresOf(checks)
      const state = { ...replicasOf(deps), ...degradedOf(deps) }
      if (failures.length === 0)
        return Response.json({ status: 'ready', version: VERSION, ...(await restoredCopyOf(deps)), ...state })
      const reasons = new Set(failures.map(({ reason }) => reason))
      const error = new AppError('unavailable', `Not ready: ${[...reasons].join('; ')}.`, {
        retryAfterSeconds: 1,
        extensions: { version: VERSION, notReady: failures.map(({ name }) => name), ...state },
      })
      return problemResponse(quiet, error)
    },
  }
})

/**
 * The replicas in the order of DATABASE_READ_URL. Their addresses are left out, because anyone may read this. The primary
 * serves the reads of replicas that cannot.
 */
function replicasOf(deps: Deps): { replicas?: object[] } {
  const states = deps.replicas.states()
  if (states.length === 0) return {}
  return { replicas: states.map(({ state, lag }) => ({ state, lagMs: lag ? Math.round(lag.ms) : null })) }
}

/**
 * A process without notifications goes on serving. Its caches are then read anew at short intervals, and changes made
 * elsewhere show that much later.
 */
function degradedOf({ notifications }: Deps): { degraded?: object } {
  const caches = notifications.deafCaches()
  return caches.length === 0 ? {} : { degraded: { notifications: { caches } } }
}

/**
 * A restored copy is ready, because it serves reads. An error is ignored: a check of PostgreSQL just succeeded, and the next
 * probe reports a failure.
 */
async function restoredCopyOf({ restoredCopy }: Deps): Promise<{ restoredCopy?: string }> {
  try {
    const target = await restoredCopy.target()
    return target === undefined ? {} : { restoredCopy: target }
  } catch (error) {
    if (asStoreError(error) instanceof StoreUnavailable) return {}
    throw error
  }
}

function checksOf({ read, write, redis }: Deps): [name: string, Check][] {
  let migrated = false
  return [
    [
      'postgres',
      async () => {
        await Promise.all([read.ping(), write.ping()])
      },
    ],
    [
      'migrations',
      async () => {
        // Checked until it passes once: migrations are never undone under a running server.
        migrated ||= (await pendingMigrations(write)).length === 0
        if (!migrated) throw new NotReady('migrations are not applied')
      },
    ],
    ['redis', () => checkRedis(redis)],
  ]
}

async function failuresOf(checks: [name: string, Check][]): Promise<{ name: string; reason: string }[]> {
  const failures = await Promise.all(
    checks.map(async ([name, check]) => {
      try {
        await withDeadline(check(), CHECK_TIMEOUT_MS, () => new NotReady(`the check of ${name} takes too long`))
        return []
      } catch (error) {
        const reason = asStoreError(error)
        const isKnown = reason instanceof NotReady || reason instanceof StoreUnavailable
        return { name, reason: isKnown ? reason.message : `the check of ${name} failed` }
      }
    }),
  )
  return failures.flat()
}

/** `/healthz` and `/readyz`. */
export const health = (deps: Deps) =>
  new Elysia({ name: 'health' })
    .use(guard(deps))
    .get(
      '/healthz',
      function getHealth() {
        return Response.json({ status: 'ok' })
      },
      { access: probe, caching: 'personal', detail: { hide: true } },
    )
    .get(
      '/readyz',
      function getReadiness() {
        return readinessOf(deps).respond()
      },
      { access: probe, caching: 'personal', detail: { hide: true } },
    )
