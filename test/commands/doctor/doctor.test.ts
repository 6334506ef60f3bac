// `hearth doctor` passes when everything runs, and names each fault with its remedy.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { Redis } from 'ioredis'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { findFreePort } from '../../../src/local/ports.ts'
import { ACTOR_NAMES } from '../../../workers/runtime/actor-names.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { startServer } from '../../support/server.ts'
import { openSmtpReceiver } from '../../support/smtp-receiver.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { startWorker } from '../../support/workers.ts'
import { opened } from '../../support/fixture.ts'

const CLI = join(import.meta.dir, '../../../src/cli.ts')
const REDIS_URL = testRedisUrl
const database = await opened(cloneDatabase('migrated'), 'drop')
const server = await opened(startServer({ databaseUrl: database.url }), 'stop')
const workers = await opened(startWorker(CLI, { databaseUrl: database.url, args: ['work'] }), 'stop')

interface Diagnosis {
  code: number
  /** By subject: the mark and the rest of the line. */
  lines: Record<string, string>
  output: string
}

async function diagnose(env: Record<string, string> = {}): Promise<Diagnosis> {
  const child = Bun.spawn([process.execPath, CLI, 'doctor'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url, REDIS_URL, BASE_URL: server.url, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect(errors).toBe('')
  const lines = [...output.matchAll(/^([✓✗]) (.{18}) (.*)$/gmu)].map(([, mark, subject = '', rest]) => [
    subject.trim(),
    `${mark} ${rest}`,
  ])
  return { code, lines: Object.fromEntries(lines) as Record<string, string>, output }
}

test('all checks pass when everything runs', async () => {
  for (const actor of ACTOR_NAMES) await workers.waitForOutput(`"actor":"${actor}","opsUrl"`)
  const { code, lines, output } = await diagnose()
  expect(output).toEndWith('All checks passed.\n')
  expect(code).toBe(0)
  expect(lines['PostgreSQL']).toMatch(/^✓ 1[5-9]\.\d+ at 127\.0\.0\.1:\d+\/test_/)
  expect(Object.keys(lines).join(', ')).toBe(
    'configuration, PostgreSQL, writes, PostGIS, connections, clocks, pooler, Redis, maxmemory-policy, mail, migrations, ' +
      `${ACTOR_NAMES.join(', ')}, time zones, outbox, webhooks, receivers, messages, prices, old rows, dead letters, money, payments, proxies, server`,
  )
  const password = new URL(database.url).password || new URL(REDIS_URL).password
  if (password) expect(output).not.toContain(password)
}, 60_000)

test('too few connections for the next server of an upgrade are a fault', async () => {
  const { lines } = await diagnose({ DATABASE_CONNECTIONS: '200' })
  expect(lines['connections']).toMatch(
    /^✗ \d+ of \d+ in use; the next server of an upgrade needs 802 → raise max_connections/,
  )
}, 60_000)

test('servers and workers with different payment providers are named, and production without one', async () => {
  const sql = testSql(database.url, 1)
  const report = (service: string) => sql`
    select from process_reports
    where service = ${service} and figures::text like '%hearth_payment_provider%' and at > now() - interval '1 minute'`
  for (const service of ['hearth-server', 'hearth-sweep-expired'])
    expect(await waitUntil(async () => (await report(service)).length > 0, 20_000)).toBe(true)
  await sql.end()
  expect((await diagnose()).lines['payments']).toBe('✓ sandbox')
  const stripe = { STRIPE_SECRET_KEY: 'sk_live_of_the_operator', STRIPE_WEBHOOK_SECRET: 'whsec_of_the_operator' }
  const { code, lines, output } = await diagnose(stripe)
  expect(code).toBe(1)
  expect(lines['payments']).toMatch(/^✗ this configuration has the provider stripe with live keys, but hearth-/)
  expect(lines['payments']).toContain(
    '→ give all servers and workers the same STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET',
  )
  for (const service of ['hearth-server', 'hearth-sweep-expired']) expect(lines['payments']).toContain(`${service} (`)
  expect(output).not.toContain('of_the_operator')
  const production = { HEARTH_ENV: 'production', HEARTH_SECRET: 'x'.repeat(32) }
  expect((await diagnose(production)).lines['payments']).toContain('has the provider none, but')
}, 60_000)

test('stopped workers, late work and dead letters are faults; a disabled actor is not', async () => {
  const sql = testSql(database.url, 1)
  await sql`
    insert into dead_letters (id, actor, message_id, data, error, attempts, failed_at)
    values (gen_random_uuid(), 'relay-outbox', 'x', '{}', 'It broke.', 8, now())`
  expect(await workers.stop()).toBe(0)
  await sql`
    insert into outbox_events (id, type, professional_id, aggregate_type, aggregate_id, sequence, data, created_at)
    values (gen_random_uuid(), 'quote.sent', gen_random_uuid(), 'quote', gen_random_uuid(), 1, '{}', now() - interval '10 minutes')`
  await sql`
    insert into payment_notifications (provider, id, received_at)
    values ('stripe', 'late', now() - interval '92 days'), ('stripe', 'soon', now() - interval '90.5 days')`
  await sql.end()
  const { code, lines, output } = await diagnose({ WORKERS_SWEEP_EXPIRED: '0' })
  expect(code).toBe(1)
  expect(lines['deliver-webhooks']).toBe(
    '✗ not running → start it with `hearth work deliver-webhooks`, or set WORKERS_DELIVER_WEBHOOKS=0',
  )
  expect(lines['sweep-expired']).toBeUndefined()
  expect(lines['outbox']).toMatch(/^✗ 1 waiting, the oldest for 6\d\d s → see the log of relay-outbox/)
  expect(lines['old rows']).toBe('✗ kept too long: payment_notifications by 2 days → see the log of sweep-expired')
  expect(lines['dead letters']).toBe('✗ 1 message → list them with `hearth work dead-letters`')
  expect(lines['server']).toStartWith('✓')
  // All actors except the disabled one, the outbox, the old rows and the dead letters.
  expect(output).toEndWith(`${ACTOR_NAMES.length + 2} problems found.\n`)
}, 60_000)

test('webhook endpoints that fail are noted; they are a fault only when most of many fail', async () => {
  const sql = testSql(database.url, 1)
  await sql`insert into accounts values (gen_random_uuid(), 'developer', 'receivers@example.com', 'Receivers', now())`
  await sql`
    insert into webhook_endpoints (id, account_id, name, url, events, ordered, max_retries, secret_sealed, created_at, updated_at)
    select gen_random_uuid(), a.id, 'receiver', 'https://example.com/', '{review.approved}', false, 10, 'sealed', now(), now()
    from accounts a, generate_series(1, 8) where a.email = 'receivers@example.com'`
  const fail = (count: number) => sql`
    update webhook_endpoints set failing_since = now() - interval '1 hour'
    where id in (select id from webhook_endpoints order by id limit ${count})`
  await fail(1)
  await sql`
    insert into webhook_events (id, type, body, created_at) values (gen_random_uuid(), 'review.approved', '{}', now())`
  await sql`
    insert into webhook_deliveries (endpoint_id, event_id, next_attempt_at, created_at)
    select e.id, v.id, now() - interval '10 minutes', now() from webhook_endpoints e, webhook_events v
    where e.failing_since is not null`
  const one = (await diagnose()).lines
  expect(one['receivers']).toBe(
    '✓ failing webhook endpoints: 1 of 8, deliveries that wait for them: 1; their owners see why',
  )
  expect(one['webhooks']).toBe('✓ nothing waiting')
  await fail(6)
  expect((await diagnose()).lines['receivers']).toBe(
    '✗ failing webhook endpoints: 6 of 8, deliveries that wait for them: 1 → check this machine’s outbound network and DNS',
  )
  await sql`update webhook_endpoints set failing_since = null`
  expect((await diagnose()).lines['webhooks']).toMatch(/^✗ 1 waiting, the oldest for 6\d\d s/)
  await sql`truncate webhook_endpoints, webhook_events cascade`
  await sql.end()
}, 60_000)

test('a Redis that may evict jobs is a fault', async () => {
  const redis = new Redis(REDIS_URL)
  const [, before = ''] = await redis.config('GET', 'maxmemory-policy')
  try {
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect((await diagnose()).lines['maxmemory-policy']).toMatch(/^✗ allkeys-lru → set it to noeviction/)
  } finally {
    await redis.config('SET', 'maxmemory-policy', before)
    redis.disconnect()
  }
})

test('stores and servers that do not respond are named, without their passwords', async () => {
  const nowhere = `127.0.0.1:${await findFreePort()}`
  const { code, lines, output } = await diagnose({
    DATABASE_URL: `postgres://someone:hushhush@${nowhere}/hearth`,
    REDIS_URL: `redis://:hushhush@${nowhere}/0`,
    BASE_URL: `http://${nowhere}`,
  })
  expect(code).toBe(1)
  expect(lines).toEqual({
    configuration: '✓ development',
    mail: '✓ kept in the mailbox, see /console/mail',
    PostgreSQL: expect.stringMatching(new RegExp(`^✗ ${nowhere}/hearth refuses connections → start it`)),
    Redis: expect.stringMatching(new RegExp(`^✗ ${nowhere}/0 refuses connections → start it`)),
    server: expect.stringMatching(new RegExp(`^✗ http://${nowhere} does not respond: .*→ start one`)),
  })
  expect(output).not.toContain('hushhush')
})

test('a mail server that cannot be used is named with the remedy, without its password', async () => {
  const receiver = await openSmtpReceiver({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'right'
        ? done(null, { user: 'hearth' })
        : done(Object.assign(new Error('5.7.8 Wrong user or password'), { responseCode: 535 })),
  })
  const place = `127.0.0.1:${receiver.port}`
  const diagnoseMail = (url: string) => diagnose({ MAIL_URL: url, MAIL_FROM: 'hello@hearth.example' })
  const works = await diagnoseMail(`smtp://hearth:right@${place}`)
  expect(works.lines['mail']).toBe(`✓ ${place} accepts the login`)
  const refused = await diagnoseMail(`smtp://hearth:hushhush@${place}`)
  expect(refused.lines['mail']).toMatch(/^✗ .* refuses the login: .* → correct user and password in MAIL_URL$/)
  await receiver.stop()
  const away = await diagnoseMail(`smtp://hearth:hushhush@${place}`)
  expect(away.lines['mail']).toBe(
    `✗ ${place} refuses connections → correct host and port in MAIL_URL, or allow outgoing connections to it`,
  )
  expect([refused.code, away.code]).toEqual([1, 1])
  expect(refused.output + away.output).not.toContain('hushhush')
}, 60_000)

test('a proxy that the servers do not know is named, with what to set', async () => {
  const askThrough = (proxied: string) =>
    fetch(`${server.url}/api/v1/services`, { headers: { 'x-forwarded-for': proxied } })
  expect((await askThrough('198.51.100.1')).status).toBe(200)
  let line = ''
  const isNamed = async () => (line = (await diagnose()).lines['proxies'] ?? '').startsWith('✗')
  expect(await waitUntil(isNamed, 30_000, 2000)).toBe(true)
  expect(line).toBe(
    '✗ all visitors who come through 127.0.0.1 count as one client, and share its limits → set TRUSTED_PROXIES=127.0.0.1 for the servers, and restart them',
  )
}, 60_000)

test('a database of an older version lacks migrations', async () => {
  const sql = testSql(database.url, 1)
  const [last] = await sql<{ name: string }[]>`
    delete from schema_files where name = (select max(name) from schema_files) returning name`
  await sql.end()
  const { code, lines } = await diagnose()
  expect(code).toBe(1)
  expect(lines['migrations']).toBe(`✗ 1 not applied: ${last?.name} → run \`hearth migrate\``)
  expect(lines['outbox']).toBeUndefined()
})

test('invalid settings, and settings unfit for production, are named', async () => {
  const configurationOf = async (env: Record<string, string>) => (await diagnose(env)).lines['configuration']
  expect(await configurationOf({ DATABASE_URL: 'mysql://127.0.0.1' })).toMatch(
    /^✗ DATABASE_URL must be a URL that begins with/,
  )
  expect(await configurationOf({ WORKERS_SWEEPER: '1' })).toMatch(/^✗ WORKERS_… names an unknown actor: sweeper/)
  const nowhere = 'postgres://127.0.0.1:1/hearth'
  const production = { DATABASE_URL: nowhere, HEARTH_ENV: 'production', HEARTH_SECRET: 'x'.repeat(32) }
  expect(await configurationOf(production)).toMatch(/^✗ BASE_URL is http/)
  expect(await configurationOf({ ...production, BASE_URL: 'https://127.0.0.1:1', WEBHOOK_ALLOW_PRIVATE: '1' })).toMatch(
    /^✗ WEBHOOK_ALLOW_PRIVATE is on in production/,
  )
  expect(await configurationOf({ ...production, BASE_URL: 'https://127.0.0.1:1' })).toMatch(/^✓ production/)
}, 60_000)
