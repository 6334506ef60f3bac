// Metrics of a server and workers, scraped by a real Prometheus.
import { describe, expect, test } from 'bun:test'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { readConfig } from '../../../src/config.ts'
import { openDeps } from '../../../src/deps.ts'
import { ensureAccount } from '../../../src/auth/accounts/verbs.ts'
import { sendTest } from '../../../src/webhooks/endpoints/verbs/deliveries.ts'
import { createWebhook } from '../../../src/webhooks/endpoints/verbs/endpoints.ts'
import { startRun, waitForRun } from '../../../src/features/agents/threads/verbs/runs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { ACTOR_NAMES } from '../../../workers/runtime/actor-names.ts'
import { openBookingClient } from '../../support/booking-client.ts'
import { cloneDatabase } from '../../support/database.ts'
import { ROOT } from '../../support/imports.ts'
import { CONFIGURATION, ensurePrometheus, promtool, selectorsOf, startPrometheus } from '../../support/prometheus.ts'
import { openReceiver } from '../../support/receiver.ts'
import { startServer } from '../../support/server.ts'
import { startWorker } from '../../support/workers.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { opened } from '../../support/fixture.ts'

const DASHBOARDS = join(ROOT, 'ops/grafana/dashboards')

/** Creates a booking whose event goes to a receiver, a failing request and an agent run. */
async function makeTraffic(): Promise<void> {
  const client = await openBookingClient(database.url)
  const { id: accountId } = await ensureAccount(ctxOf(deps), { email: 'dev@example.com' })
  const webhook = { name: 'metrics', url: `${receiver.url}/`, events: ['booking.created' as const] }
  const { id } = await createWebhook(ctxOf(deps, { accountId }), webhook)
  expect((await client.post(server.url, 0)).status).toBe(201)
  await sendTest(ctxOf(deps, { accountId }), { id })
  await fetch(`${server.url}/nothing/here`)
  const professionalId = client.pro.id
  await deps.write.run('setPlan', (sql) => sql`update professionals set plan = 'verified' where id = ${professionalId}`)
  const { runId } = await startRun(ctxOf(deps, { professionalId, accountId }), {
    kind: 'run_agent',
    goal: 'Are there new leads?',
  })
  expect((await waitForRun(ctxOf(deps), { ref: { professionalId, runId }, limitMs: 30_000 })).status).toBe('succeeded')
  expect(await waitUntil(() => receiver.received.length >= 2, 30_000)).toBe(true)
}

type Targets = { activeTargets: { labels: { job: string }; health: string; lastError: string }[] }

/** True when both targets are up, the rules are evaluated, and the gauges that actors refresh have values. */
async function hasScraped(): Promise<boolean> {
  const { activeTargets } = await prometheus.request<Targets>('targets')
  if (activeTargets.length !== 2 || activeTargets.some(({ health }) => health !== 'up')) return false
  const series = await Promise.all(
    recorded().map((name) => prometheus.request<{ result: unknown[] }>('query', { query: name })),
  )
  return series.every(({ result }) => result.length > 0)
}

/** The metrics that Prometheus generates itself. */
const OF_PROMETHEUS = new Set(['up'])

const panels = () =>
  readdirSync(DASHBOARDS).flatMap((file) => {
    const dashboard = JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as Dashboard
    return dashboard.panels.flatMap((panel) =>
      (panel.targets ?? []).map(({ expr }) => ({ where: `${file}: ${panel.title}`, expression: filledIn(expr) })),
    )
  })

interface Dashboard {
  uid: string
  title: string
  schemaVersion: number
  templating: { list: { name: string; type: string }[] }
  panels: {
    id: number
    type: string
    title: string
    gridPos: { x: number; y: number; w: number; h: number }
    targets?: { expr: string; datasource: { uid: string } }[]
  }[]
}

/** Replaces variables as Grafana does. */
const filledIn = (expression: string) =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h').replaceAll('$route', '.*')

interface Rules {
  groups: { name: string; rules: { record?: string; alert?: string; expr: string }[] }[]
}

const allRules = () =>
  (Bun.YAML.parse(readFileSync(join(CONFIGURATION, 'rules/hearth.yml'), 'utf8')) as Rules).groups.flatMap(
    (group) => group.rules,
  )
const rules = () =>
  allRules().map(({ record, alert, expr }) => ({ where: `rule ${alert ?? record}`, expression: expr }))
/** The names of the series that recording rules create. */
const recorded = () => allRules().flatMap(({ record }) => record ?? [])
await ensurePrometheus()
const database = await opened(cloneDatabase('migrated'), 'drop')
const receiver = await opened(openReceiver(), 'stop')
// Set here, because `hearth work` would otherwise use the secret of a stack that runs in this folder.
const env = { WEBHOOK_ALLOW_PRIVATE: '1', HEARTH_SECRET: 'a secret of the processes of this test' }
const deps = await opened(
  openDeps(
    readConfig({
      ...env,
      DATABASE_URL: database.url,
      REDIS_URL: testRedisUrl,
      LOG_LEVEL: 'silent',
    }),
  ),
)
const workers = await opened(startWorker('src/cli.ts', { databaseUrl: database.url, env, args: ['work'] }), 'stop')
// The database as its own replica.
const server = await opened(
  startServer({ databaseUrl: database.url, env: { ...env, DATABASE_READ_URL: database.url } }),
  'stop',
)
await workers.waitForOutput('"supervising"')
const workersUrl = /"opsUrl":"([^"]+)","msg":"supervising"/.exec(workers.output())?.[1] ?? ''
expect(await waitUntil(async () => (await fetch(`${workersUrl}/readyz`)).ok, 60_000)).toBe(true)
await makeTraffic()
const host = (url: string) => new URL(url).host
const prometheus = await opened(
  startPrometheus({ 'hearth-server': [host(server.opsUrl)], 'hearth-workers': [host(workersUrl)] }),
  'stop',
)
expect(await waitUntil(hasScraped, 60_000, 200)).toBe(true)

describe('promtool', () => {
  test('accepts the live metrics of the server and of the workers', async () => {
    for (const url of [server.opsUrl, workersUrl]) {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      expect(await promtool(['check', 'metrics'], metrics)).toEqual({ ok: true, output: '' })
    }
  })

  test('accepts the configuration and the rules', async () => {
    const checked = await promtool(['check', 'config', join(CONFIGURATION, 'prometheus.yml')])
    expect(checked).toMatchObject({ ok: true, output: expect.stringContaining('SUCCESS') })
    const linted = await promtool([
      'check',
      'rules',
      '--lint=all',
      '--lint-fatal',
      join(CONFIGURATION, 'rules/hearth.yml'),
    ])
    expect(linted).toMatchObject({ ok: true })
  })

  test('confirms that alerts fire when they should, and not earlier', async () => {
    const tested = await promtool(['test', 'rules', join(CONFIGURATION, 'hearth_test.yml')])
    expect(tested).toMatchObject({ ok: true, output: expect.stringContaining('SUCCESS') })
  })
})

describe('a Prometheus that scrapes us', () => {
  test('has every metric, with every label, that the dashboards and rules name', async () => {
    const missing: string[] = []
    for (const { where, expression } of [...panels(), ...rules()])
      for (const { metric, labels } of selectorsOf(expression)) {
        if (OF_PROMETHEUS.has(metric)) continue
        const series = await prometheus.request<Record<string, string>[]>('series', { 'match[]': metric })
        const known = new Set(series.flatMap((one) => Object.keys(one)))
        if (series.length === 0) missing.push(`${where}: ${metric}`)
        else
          missing.push(...labels.filter((label) => !known.has(label)).map((label) => `${where}: ${metric}{${label}}`))
      }
    expect(missing).toEqual([])
  })

  test('can evaluate every panel and every rule', async () => {
    for (const { expression } of [...panels(), ...rules()]) await prometheus.request('query', { query: expression })
    type Evaluated = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] }
    const { groups } = await prometheus.request<Evaluated>('rules')
    const evaluated = groups.flatMap(({ rules: all }) => all)
    expect(evaluated).toHaveLength(rules().length)
    expect(evaluated.filter(({ health }) => health !== 'ok')).toEqual([])
  })

  test('sees every worker, its state and its restarts', async () => {
    type Sample = { metric: { actor: string; worker: string }; value: [number, string] }
    const up = async () =>
      (await prometheus.request<{ result: Sample[] }>('query', { query: 'hearth_worker_up' })).result
    const answers = new Map((await up()).map(({ metric, value }) => [metric.actor, value[1]]))
    expect(answers).toEqual(new Map(ACTOR_NAMES.map((actor) => [actor, '1'])))
    const pid = /"actor":"sweep-expired","opsUrl":"[^"]+","pid":(\d+)/.exec(workers.output())?.[1]
    process.kill(Number(pid), 'SIGKILL')
    const restarted = async () => {
      const query = 'hearth_worker_restarts_total{worker="sweep-expired-1"} == 1 and hearth_worker_up == 1'
      return (await prometheus.request<{ result: unknown[] }>('query', { query })).result.length === 1
    }
    expect(await waitUntil(restarted, 30_000, 200)).toBe(true)
  })
})

test('dashboards have the fields that Grafana needs to load them', () => {
  const files = readdirSync(DASHBOARDS).map(
    (file) => [file, JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as Dashboard] as const,
  )
  expect(files.length).toBeGreaterThan(0)
  for (const [file, { uid, title, schemaVersion, templating, panels: all }] of files) {
    expect(file).toBe(`${uid}.json`)
    expect(title).toStartWith('Hearth')
    expect(schemaVersion).toBeGreaterThanOrEqual(39)
    expect(templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' })
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    for (const { gridPos, targets = [] } of all) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (const { datasource } of targets) expect(datasource.uid).toBe('${datasource}')
    }
    const overlaps = all.filter((a) =>
      all.some(
        (b) =>
          a.id < b.id &&
          a.gridPos.x < b.gridPos.x + b.gridPos.w &&
          b.gridPos.x < a.gridPos.x + a.gridPos.w &&
          a.gridPos.y < b.gridPos.y + b.gridPos.h &&
          b.gridPos.y < a.gridPos.y + a.gridPos.h,
      ),
    )
    expect(overlaps.map((panel) => panel.title)).toEqual([])
  }
})
