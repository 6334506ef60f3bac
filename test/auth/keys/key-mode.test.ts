// Keys of test mode, by `hearth keys create` and in the console.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { insertPro } from '../../support/schedule.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { loggedInVisitor } from '../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))

const keys = async (...args: string[]) => {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'keys', ...args], {
    cwd: join(import.meta.dir, '../../..'),
    env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, said, complained] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  return { code, said, complained }
}
const create = (...args: string[]) => keys('create', '--preset', 'full-server', '--owner', 'a@test.example', ...args)

test('the command creates live keys, test keys on request, and refuses an expiry in the past', async () => {
  expect((await create()).said).toStartWith('hearth_live_')
  const [key = ''] = (await create('--mode', 'test')).said.split('\n')
  expect(key).toStartWith('hearth_test_')
  expect((await app.send('/api/v1/rfqs?email=a@test.example', { key })).status).toBe(200)
  expect(await create('--mode', 'demo')).toMatchObject({
    code: 1,
    complained: 'hearth: --mode must be one of live, test, not "demo".\n',
  })
  expect(await create('--expires', '2020-01-01')).toMatchObject({
    code: 1,
    complained: 'hearth: --expires must be in the future\n',
  })
  const { said } = await keys('list')
  expect(said).toMatch(/^\S+ {2}…\S{4} {2}test {2}active .+\n\S+ {2}…\S{4} {2}live {2}active .+\n$/)
}, 60_000)

test('a live key with the scopes of pros needs an owner who is one', async () => {
  const forOwner = (owner: string) => keys('create', '--preset', 'pro-dashboard', '--owner', owner)
  expect(await forOwner('developer@test.example')).toMatchObject({
    code: 1,
    complained: 'hearth: --owner must be the address of a pro’s account: a key with `pro:` scopes acts for its owner\n',
  })
  const { id } = await insertPro(app.sql)
  const [owner] = await app.sql<{ email: string }[]>`
    select a.email from professionals p join accounts a on a.id = p.account_id where p.id = ${id}`
  expect((await forOwner(owner?.email ?? '')).said).toStartWith('hearth_live_')
}, 60_000)

test('the console creates test keys, refuses an expiry in the past, and shows the mode of each key', async () => {
  const visitor = await loggedInVisitor(app, 'developer')
  const form = { name: 'Website', preset: 'full-server', limitPercent: '100' }
  const made = await visitor.post('/console/keys', { ...form, mode: 'test' })
  expect((await visitor.get(made.location ?? '')).text).toMatch(/hearth_test_\w{32}/)
  expect((await visitor.post('/console/keys', { ...form, expires: '2020-01-01' })).text).toContain(
    'Must be in the future',
  )
  const { text } = await visitor.get('/console/keys')
  expect(text).toContain('<code>hearth_test_…')
  expect(text).not.toContain('<code>hearth_live_…')
})
