// The number of live keys of an account: bounded, also for concurrent creations, and stated in the console and the terminal.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { MAX_LIVE_KEYS, createKey, listKeys, revokeKey, rotateKey } from '../../../src/auth/keys/verbs/keys.ts'
import type { AppError } from '../../../src/errors/app-error.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { loggedInVisitor } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp('migrated'))

const newKey = (ownerEmail: string) =>
  createKey(ctxOf(app.deps), { ownerEmail, scopes: ['pros:read'], name: 'one of many' })
const runKeysCommand = async (...args: string[]) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../../src/cli.ts'), 'keys', ...args], {
    env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, said, complained] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  return { code, said, complained }
}
const codeOf = (created: Promise<unknown>) =>
  created.then(
    () => 'created',
    (error: unknown) => (error as AppError).code,
  )
const live = async (ownerEmail: string) =>
  (await listKeys(ctxOf(app.deps), { ownerEmail })).filter(({ revokedAt }) => !revokedAt)

test('an account has at most 100 live keys, however many are created at once', async () => {
  const ownerEmail = 'many@test.example'
  for (let created = 0; created < MAX_LIVE_KEYS - 10; created++) await newKey(ownerEmail)
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => newKey(ownerEmail)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  expect(refused).toHaveLength(10)
  for (const reason of refused) expect(reason).toMatchObject({ code: 'too_many_keys' })
  const [first, second] = await live(ownerEmail)
  if (!first || !second) throw new Error('The account has keys.')

  // A rotation with an overlap would add a key; one without replaces it.
  expect(await codeOf(rotateKey(ctxOf(app.deps), { id: first.id }))).toBe('too_many_keys')
  expect(await rotateKey(ctxOf(app.deps), { overlapHours: 0, id: first.id })).toMatchObject({ name: 'one of many' })
  await revokeKey(ctxOf(app.deps), { id: second.id })
  expect(await newKey(ownerEmail)).toMatchObject({ owner: ownerEmail })
  expect(await codeOf(newKey(ownerEmail))).toBe('too_many_keys')
  expect(await newKey('other@test.example')).toMatchObject({ owner: 'other@test.example' })
})

test('the console and the command say that the account has no room for another key', async () => {
  const visitor = await loggedInVisitor(app, 'developer', { account: 'many@test.example' })
  const page = await visitor.post('/console/keys', { name: 'more', preset: 'full-server', limitPercent: '100' })
  expect([page.status, page.text]).toEqual([409, expect.stringContaining('100 active keys') as string])
  const { code, said, complained } = await runKeysCommand(
    'create',
    '--preset',
    'full-server',
    '--owner',
    'many@test.example',
  )
  expect([code, said]).toEqual([1, ''])
  expect(complained).toStartWith('hearth: The account has 100 active keys, which is the most. Revoke one first')
}, 60_000)
