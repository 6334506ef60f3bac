// The whole application in the test's process, on its own database, with keys to call it.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createApp } from '../../src/app.ts'
import { FEATURES, readConfig } from '../../src/config.ts'
import { type Deps, openDeps } from '../../src/deps.ts'
import { ensureAccount } from '../../src/auth/accounts/verbs.ts'
import { requestContextOf } from '../../src/auth/request-context.ts'
import { PRESETS, type Scope, isWidgetScope } from '../../src/auth/scopes.ts'
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { usageOf } from '../../src/auth/keys/verbs/usage.ts'
import { openMetrics } from '../../src/platform/telemetry/metrics.ts'
import type { Clock } from '../../src/platform/clock/clock.ts'
import { openContract } from './contract.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { SEEDED_AT, type Template, cloneDatabase, testSql } from './database.ts'
import { testRedisUrl } from './stores.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface TestApp {
  readonly deps: Deps
  readonly app: ReturnType<typeof createApp>
  readonly databaseUrl: string
  /** Connections for a test's own statements. */
  readonly sql: Sql
  /**
   * Sends a request to the app; `key` becomes the Authorization header, `json` the body. Throws when the response does
   * not match /openapi.json.
   */
  send: (path: string, init?: RequestInit & { key?: string; json?: unknown }) => Promise<Response>
  /**
   * Creates a key with these scopes (by default the full-server preset) and rate limits too high for tests to reach. A
   * key with widget scopes works from WIDGET_ORIGIN.
   */
  key(scopes?: readonly Scope[], ownerEmail?: string): Promise<string>
  /** Creates a client account and returns its e-mail address. */
  client(): Promise<string>
  close(): Promise<void>
}

/** The origin of pages that use the tests' widget keys. */
export const WIDGET_ORIGIN = 'https://widget.test.example'

/** A clock that always returns SEEDED_AT, so that tests can use fixed dates. */
export const seededClock: Clock = { now: () => new Date(SEEDED_AT) }

/**
 * How long requests wait for PostgreSQL: longer than in production, because one process sends and answers dozens of requests at
 * once here, on a busy machine. A test of what happens after the limit gives the limit itself.
 */
const PATIENT_MS = 20_000

/** Opens the app on a copy of the template; `env` overrides its configuration. */
export async function openTestApp(
  template: Template = 'seeded',
  {
    env = {},
    clock = seededClock,
    databaseLimitMs = PATIENT_MS,
  }: { env?: Record<string, string>; clock?: Clock; databaseLimitMs?: number } = {},
): Promise<TestApp> {
  const database = await cloneDatabase(template)
  const filesFolder = join(tmpdir(), `hearth-files-${randomBytes(8).toString('hex')}`)
  const config = readConfig({
    DATABASE_URL: database.url,
    FILES_FOLDER: filesFolder,
    REDIS_URL: testRedisUrl,
    LOG_LEVEL: 'error',
    ...Object.fromEntries(FEATURES.map((feature) => [feature, 'true'])),
    // Most tests send more requests than a client may, as with the rate multiplier of keys.
    PUBLIC_RATE_PER_MINUTE: '1000000',
    CODE_LOOKUPS_PER_MINUTE: '1000000',
    CONSOLE_RATE_PER_MINUTE: '1000000',
    LOGINS_PER_ADDRESS: '1000000',
    // Most tests book more than a customer may.
    MAX_UNPAID_BOOKINGS: '1000000',
    ...env,
  })
  const deps = openDeps(config, { clock, databaseLimitMs })
  // Before it is connected, rate limits count in this process only, as on a server that is not ready yet.
  if (deps.redis.status !== 'ready') await once(deps.redis, 'ready')
  const app = createApp(deps)
  let sql: Sql | undefined
  const contract = await openContract(async (request) => {
    // Another test may have used up what the usual address may read.
    if (request.url.endsWith('/openapi.json')) requestContextOf(request).peer = randomAddress
    return await app.handle(request)
  }, config.baseUrl)
  return {
    deps,
    app,
    databaseUrl: database.url,
    get sql() {
      return (sql ??= testSql(database.url))
    },
    send: (path, init = {}) => contract.send(testRequest(config.baseUrl, path, init)),
    key: async (scopes = PRESETS['full-server'], ownerEmail = 'developer@test.example') =>
      (
        await createKey(ctxOf(deps), {
          ownerEmail,
          scopes,
          name: 'test',
          rateMultiplier: 10_000,
          ...(scopes.some(isWidgetScope) ? { origin: WIDGET_ORIGIN } : {}),
        })
      ).secret,
    client: async () => {
      const email = `client-${crypto.randomUUID()}@test.example`
      await ensureAccount(ctxOf(deps), { email, kind: 'client' })
      return email
    },
    close: async () => {
      await sql?.end()
      await deps.close()
      await database.drop()
      rmSync(filesFolder, { recursive: true, force: true })
    },
  }
}

/** An address of the range for documentation (RFC 3849). */
export const randomAddress = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

/** The app as a server runs it, with request ids, metrics and all headers. */
export const instrumentedApp = (deps: Deps) => createApp(deps, { metrics: openMetrics('test'), usage: usageOf(deps) })

/** A request as a client would send it. */
export function testRequest(
  baseUrl: string,
  path: string,
  { key, json, ...init }: RequestInit & { key?: string; json?: unknown },
): Request {
  const headers = new Headers(init.headers)
  if (key) headers.set('authorization', `Bearer ${key}`)
  if (json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return new Request(`${baseUrl}${path}`, {
    ...init,
    headers,
    ...(json === undefined ? {} : { method: init.method ?? 'POST', body: JSON.stringify(json) }),
  })
}

export interface BookableSlot {
  professionalId: string
  slug: string
  serviceId: string
  date: string
  time: string
}

/** A seeded pro who can be booked at once, and their first open slot. */
export async function findBookableSlot({ deps, send }: TestApp): Promise<BookableSlot> {
  const [pro] = await deps.read.run<{ id: string; slug: string; serviceId: string }>(
    'findBookablePro',
    (sql) => sql`
      select p.id, p.slug, o.service_id
      from professionals p join professional_services o on o.professional_id = p.id and o.instant_book_enabled
      where p.active and p.instant_booking_enabled and not p.requires_approval and not p.deposit_required
      order by p.id limit 1`,
  )
  if (!pro) throw new Error('The seed has no pro who can be booked.')
  const answer = await send(`/api/v1/pros/${pro.slug}/availability`)
  const { nextAvailable } = (await answer.json()) as { nextAvailable: { date: string; time: string } }
  return { professionalId: pro.id, slug: pro.slug, serviceId: pro.serviceId, ...pick(nextAvailable) }
}

const pick = ({ date, time }: { date: string; time: string }) => ({ date, time })
