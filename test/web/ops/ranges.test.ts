// What operators see of a time: charts of the last minutes, traces of a time, and webhook endpoints that fail at present.
import { expect, test } from 'bun:test'

import { insertParts } from '../../../src/features/upkeep/operations/queries.ts'
import { createWebhook } from '../../../src/webhooks/endpoints/verbs/endpoints.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { loggedInVisitor } from '../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
const operator = await loggedInVisitor(app, 'operator')

test('an endpoint that fails is named with its account, its state and what waits, without the path of its URL', async () => {
  const key = await app.key(undefined, 'owner@hooks.example')
  const [account] = await app.sql<{ id: string }[]>`select id from accounts where email = 'owner@hooks.example'`
  const ctx = ctxOf(app.deps, { accountId: account?.id ?? '' })
  const urls = ['https://failing.hooks.example/secret-path', 'https://well.hooks.example/']
  const [failing] = await Promise.all(
    urls.map((url) => createWebhook(ctx, { url, name: url.slice(8, 15), events: ['booking.created'] })),
  )
  await app.send('/api/v1/webhooks', { key })
  expect((await operator.get('/ops')).text).not.toContain('Webhook endpoints that fail')
  await app.sql`update webhook_endpoints set failing_since = '2026-06-01T11:00:00Z' where id = ${failing?.id ?? ''}`
  const { text } = await operator.get('/ops/now')
  const [table = ''] = /<caption>Webhook endpoints that fail<\/caption>.*?<\/table>/s.exec(text) ?? []
  for (const part of ['failing.hooks.example', 'owner@hooks.example', 'retried', 'Jun 1, 2026, 11:00'])
    expect(table).toContain(part)
  for (const part of ['secret-path', 'well.hooks.example']) expect(table).not.toContain(part)
  await app.sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'failing', disabled_at = now()
    where id = ${failing?.id ?? ''}`
  expect((await operator.get('/ops/now')).text).toContain('disabled')
})

test.each([
  ['', 90, 15],
  ['?minutes=60', 360, 60],
])('the charts of /ops%s have %i points, and so has what refreshes them', async (query, points, minutes) => {
  const { text } = await operator.get(`/ops${query}`)
  const from = /data-from="([^"]+)"/.exec(text)?.[1] ?? ''
  for (const part of [text, (await operator.get(from)).text]) {
    expect(part).toContain(`the last ${minutes} minutes`)
    const [series = ''] = [...part.matchAll(/data-series="([^"]+)"/g)].map(([, it]) => it)
    expect((JSON.parse(series.replaceAll('&quot;', '"')) as { at: number[] }).at).toHaveLength(points)
  }
})

test('traces are found by their time in UTC, and a time that cannot be read does not filter', async () => {
  const at = (startedAt: string, name: string) => ({
    traceId: crypto.randomUUID().replaceAll('-', ''),
    reason: 'refused' as const,
    service: 'hearth-server',
    name,
    method: 'GET',
    route: '/api/v1/pros',
    status: 400,
    startedAt,
    durationUs: 1000,
    spans: [],
    omittedSpans: 0,
  })
  await insertParts(ctxOf(app.deps), {
    parts: [
      at('2026-05-31T23:59:00Z', 'GET /before'),
      at('2026-06-01T00:00:00Z', 'GET /within'),
      at('2026-06-01T01:00:00Z', 'GET /after'),
    ],
  })
  const found = async (query: string) =>
    [...(await operator.get(`/ops/traces?${query}`)).text.matchAll(/>GET \/(\w+)<\/a>/g)].map(([, name]) => name)
  expect(await found('from=2026-06-01T00:00&to=2026-06-01T01:00')).toEqual(['within'])
  expect(await found('from=2026-06-01T00:00:00')).toEqual(['after', 'within'])
  expect(await found('to=2026-06-01T00:00')).toEqual(['before'])
  expect(await found('from=2026-06-31T00:00&to=yesterday')).toEqual(['after', 'within', 'before'])
  expect((await operator.get('/ops/traces?from=2030-01-01T00:00')).text).toContain('No traces found')
})
