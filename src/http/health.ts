// Liveness and readiness of the process, for load balancers and supervisors.
import { Elysia } from 'elysia'

import { type Deps, oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { pendingMigrations } from '../platform/postgres/migrate.ts'
import { probe } from '../auth/access.ts'
import { withDeadline } from '../platform/clock/deadlines.ts'
import { guard } from './guard.ts'
import { problemResponse } from './problem.ts'

/** A store that takes longer is not ready. */
const CHECK_TIMEOUT_MS = 1000

export interface Readiness {
  /** The names of the checks that fail now. */
  failedChecks(): Promise<string[]>
  /** 200, or 503 with a problem document whose `notReady` lists the failed checks. */
  respond(): Promise<Response>
  /** Reports `shutting_down` from now on. */
  leave(): void
}

type Check = () => Promise<boolean>

/** The readiness of this process. */
export const readinessOf = oncePerDeps((deps: Deps): Readiness => {
  const checks = checksOf(deps)
  // Probes come every second: a failing store is logged by the requests that need it, not here.
  const quiet = { config: deps.config, log: deps.log.child({}, { level: 'silent' }) }
  let leaving = false
  const failedChecks = async () => {
    const passed = await Promise.all(checks.map(([, check]) => passes(check)))
    return checks.flatMap(([name], index) => (passed[index] ? [] : [name]))
  }
  return {
    failedChecks,
    leave: () => void (leaving = true),
    respond: async () => {
      const notReady = leaving ? ['shutting_down'] : await failedChecks()
      if (notReady.length === 0) return Response.json({ status: 'ready' })
      const detail = `Not ready: ${notReady.join(', ')}.`
      return problemResponse(
        quiet,
        new AppError('unavailable', detail, { retryAfterSeconds: 1, extensions: { notReady } }),
      )
    },
  }
})

function checksOf({ read, write, redis }: Deps): [name: string, Check][] {
  let migrated = false
  return [
    [
      'postgres',
      async () => {
        // On connections of their own: an overloaded server is not relieved by being taken out of service.
        await Promise.all([read, write].map((pool) => pool.ping()))
        return true
      },
    ],
    [
      'migrations',
      async () => {
        // Checked until it passes once: migrations are never undone under a running server.
        migrated ||= (await pendingMigrations(write.pool)).length === 0
        return migrated
      },
    ],
    ['redis', async () => Boolean(await redis.ping())],
  ]
}

/** Whether a check passes in time. The log of the requests that use the store says why it fails. */
const passes = (check: Check): Promise<boolean> =>
  withDeadline(check(), CHECK_TIMEOUT_MS, () => new Error('The check takes too long.')).catch(() => false)

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
