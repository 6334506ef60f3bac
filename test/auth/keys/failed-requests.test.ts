// The last requests of a key that were answered with an error: what developers see of them, how many are kept, and whose they are.
import { expect, test } from 'bun:test'

import { listKeys } from '../../../src/auth/keys/verbs/keys.ts'
import { listFailedRequests, usageOf } from '../../../src/auth/keys/verbs/usage.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { AppError } from '../../../src/errors/app-error.ts'
import { deleteOldRows } from '../../../src/features/upkeep/retention/verbs.ts'
import { instrumentedApp, openTestApp } from '../../support/app.ts'
import { loggedInVisitor } from '../../support/visitor.ts'
import { opened } from '../../support/fixture.ts'

const app = await opened(openTestApp('migrated'))
const served = instrumentedApp(app.deps)
const key = await app.key(undefined, 'failing@test.example')
const other = await app.key(undefined, 'other@test.example')
const keyOf = async (ownerEmail: string) => {
  const [found] = await listKeys(ctxOf(app.deps), { ownerEmail })
  if (!found) throw new Error(`${ownerEmail} has no key.`)
  return found
}
const [mine, theirs] = [await keyOf('failing@test.example'), await keyOf('other@test.example')]

const send = (path: string, { body, by = key }: { body?: string; by?: string } = {}) =>
  served.handle(
    new Request(`${app.deps.config.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      body: body ?? null,
    }),
  )
const listed = (accountId: string, limit = 200) => listFailedRequests(ctxOf(app.deps), { accountId, limit })
const failure = (keyId: string, detail: string) => ({
  keyId,
  method: 'GET',
  path: '/api/v1/pros',
  requestId: undefined,
  error: new AppError('not_found', detail),
})

test('a failed request is listed with its path, its answer and every bad field, without what it sent', async () => {
  const id = crypto.randomUUID()
  const answers = [
    await send(`/api/v1/pros/${id}`),
    await send('/api/v1/bookings', { body: '{"professionalId":7,"customer":{"email":"secret-of-a-customer"}}' }),
    await send('/api/v1/rfqs', { body: '{"broken' }),
    await send('/api/v1/cities'),
    await send(`/api/v1/pros/${id}`, { by: other }),
  ]
  const [unknown, invalid] = (await Promise.all(answers.slice(0, 2).map((answer) => answer.json()))) as {
    detail: string
    requestId: string
    errors: unknown[]
  }[]
  await usageOf(app.deps).flush()
  const found = await listed(mine.accountId)
  expect(found).toMatchObject([
    { method: 'POST', path: '/api/v1/rfqs', status: 400, code: 'malformed_body' },
    {
      method: 'POST',
      path: '/api/v1/bookings',
      status: 400,
      code: 'validation_failed',
      errors: invalid?.errors,
      requestId: invalid?.requestId ?? null,
    },
    { path: '/api/v1/pros/:id', status: 404, code: 'professional_not_found', detail: unknown?.detail, errors: [] },
  ])
  expect(invalid?.errors.length).toBeGreaterThan(1)
  expect(JSON.stringify(found)).not.toContain('secret-of-a-customer')
  expect(JSON.stringify(found)).not.toContain(id)
  expect(await listed(theirs.accountId)).toHaveLength(1)
})

test('the page of usage shows them to the owner of the key alone', async () => {
  const owner = await loggedInVisitor(app, 'developer', { account: 'failing@test.example' })
  const { text } = await owner.get('/console/usage')
  const [table = ''] = /<caption>Failed requests<\/caption>.*?<\/table>/s.exec(text) ?? []
  expect(table).toContain('<code>POST /api/v1/bookings</code>')
  expect(table).toContain('<a href="/problems/validation_failed">validation_failed</a>')
  expect(table).toContain('<code>body.customer.name</code> is required')
  const stranger = await loggedInVisitor(app, 'developer', { account: 'without-failures@test.example' })
  expect((await stranger.get('/console/usage')).text).toContain('none of your requests was answered with an error')
})

test('each key keeps its last hundred, and many processes may write at once', async () => {
  const processes = Array.from({ length: 6 }, () => usageOf({ ...app.deps }))
  for (let round = 0; round < 10; round++) {
    for (const usage of processes)
      for (let n = 0; n < 5; n++) {
        usage.recordFailure(failure(mine.id, `number ${round}`))
        usage.recordFailure(failure(theirs.id, `number ${round}`))
      }
    await Promise.all(processes.map((usage) => usage.flush()))
  }
  // The rows of a write displace older ones only with the next write.
  const usage = usageOf({ ...app.deps })
  usage.recordFailure(failure(mine.id, 'the last'))
  await usage.flush()
  const found = await listed(mine.accountId, 1000)
  expect(found[0]?.detail).toBe('the last')
  expect(found).toHaveLength(101)
  expect(new Set(found.slice(1).map(({ detail }) => detail))).toEqual(
    new Set(['number 6', 'number 7', 'number 8', 'number 9']),
  )
})

test('a flood of errors costs a bounded amount of memory and one write', async () => {
  const writes: string[] = []
  const write = {
    ...app.deps.write,
    run: ((name: string, ...rest: [never]) => {
      writes.push(name)
      return app.deps.write.run(name, ...rest)
    }) as typeof app.deps.write.run,
  }
  const usage = usageOf({ ...app.deps, write })
  for (let n = 0; n < 20_000; n++) usage.recordFailure(failure(theirs.id, `flood ${n}`))
  await usage.flush()
  expect(writes).toEqual(['addFailedRequests'])
  const flood = (await listed(theirs.accountId, 1000)).filter(({ detail }) => detail.startsWith('flood'))
  expect(flood.length).toBe(500)
})

test('a week later they are neither listed nor kept', async () => {
  const later = { ...app.deps, clock: { now: () => new Date(app.deps.clock.now().getTime() + 8 * 86_400_000) } }
  expect(await listFailedRequests(ctxOf(later), { accountId: mine.accountId, limit: 10 })).toEqual([])
  const { deleted } = await deleteOldRows(ctxOf(later), { table: 'failed_requests', limit: 10_000 })
  expect(deleted).toBeGreaterThan(100)
})
