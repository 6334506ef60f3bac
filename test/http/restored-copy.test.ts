// A restored copy answers reads, of agents too, and refuses changes before it takes them.
import { expect, test } from 'bun:test'

import { PRESETS } from '../../src/auth/scopes.ts'
import { customerServer } from '../../src/mcp/customer/definition.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import { accessOf, nameOf, routes } from '../support/app-routes.ts'
import { testSql } from '../support/database.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp('migrated'))
let key = ''
key = await app.key(PRESETS['agent-tools'])
const sql = testSql(app.databaseUrl, 1)
await sql`alter database ${sql(new URL(app.databaseUrl).pathname.slice(1))} set hearth.restored = 'a test'`
// The connections of the application keep their settings.
await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
await sql.end()

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const SIGN_IN = new Set(['POST /console/login', 'POST /console/login/code', 'POST /console/logout'])
const changing = routes.filter(
  (route) => !READING.has(route.method) && !accessOf(route)?.rpc && !SIGN_IN.has(nameOf(route)),
)

test.each(changing.map(nameOf))('%s is refused', async (name) => {
  const [method = '', path = ''] = name.split(' ')
  const request = testRequest(app.deps.config.baseUrl, path.replaceAll(/:\w+/g, 'x'), {
    method,
    key,
    headers: { origin: app.deps.config.baseUrl },
  })
  const response = await app.app.handle(request)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, expect.any(String) as never])
})

test.each(['/api/v1/pros', '/api/v1/services', '/', '/console/login'])('GET %s works', async (path) => {
  expect((await app.app.handle(testRequest(app.deps.config.baseUrl, path, { key }))).status).toBe(200)
})

/** The error of a call of a tool without arguments. */
async function errorOf(name: string): Promise<string> {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
  const response = await app.app.handle(testRequest(app.deps.config.baseUrl, '/api/mcp/customer', { key, json }))
  return await response.text()
}

test.each(customerServer.tools.filter(({ access }) => access === 'write').map(({ name }) => name))(
  'the tool %s is refused',
  async (name) => expect(await errorOf(name)).toContain('restored copy'),
)

test.each(customerServer.tools.filter(({ access }) => access === 'read').map(({ name }) => name))(
  'the tool %s is not refused',
  async (name) => expect(await errorOf(name)).not.toContain('restored copy'),
)
