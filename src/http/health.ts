// Is the process up, and can it do its work: for load balancers and whoever restarts processes.
import { Elysia } from 'elysia'

import { type Deps, oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { pendingMigrations } from '../platform/postgres/migrate.ts'
import { probe } from '../auth/access.ts'
import { guard } from './guard.ts'
import { problemResponse } from './problem.ts'

/** A store that needs longer than this is not ready. */
const CHECK_LIMIT_MS = 1000

export interface Readiness {
  /** 200, or 503 with a problem document whose `notReady` names what is missing. */
  respond(): Promise<Response>
  /** From now on nothing is ready: the server is about to stop. */
  leave(): void
}

type Check = () => Promise<boolean>

/** The readiness of this process. */
export const readinessOf = oncePerDeps((deps: Deps): Readiness => {
  const checks = checksOf(deps)
  // Asked every second or so: a store that is away is in the log of the requests it fails, not here too.
  const quiet = { config: deps.config, log: deps.log.child({}, { level: 'silent' }) }
  let leaving = false
  return {
    leave: () => void (leaving = true),
    respond: async () => {
      const passed = await Promise.all(checks.map(([, check]) => withinLimit(check)))
      const notReady = leaving ? ['shutting_down'] : checks.flatMap(([name], index) => (passed[index] ? [] : [name]))
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
        // Not by the pools: a server with more to do than it can is no better for being taken away.
        await Promise.all([read, write].map((pool) => pool.ping()))
        return true
      },
    ],
    [
      'migrations',
      async () => {
        // Migrations are never undone under a running server: once is enough.
        migrated ||= (await pendingMigrations(write.pool)).length === 0
        return migrated
      },
    ],
    ['redis', async () => Boolean(await redis.ping())],
  ]
}

/** Whether a check passes in time. Why it does not is for the log of whoever uses the store. */
async function withinLimit(check: Check): Promise<boolean> {
  let timer: Timer | undefined
  const limit = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), CHECK_LIMIT_MS)))
  const passed = check().catch(() => false)
  return await Promise.race([passed, limit]).finally(() => clearTimeout(timer))
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
