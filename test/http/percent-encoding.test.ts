// Malformed percent-encoding in a path or a query is refused before a route sees it.
import { describe, expect, test } from 'bun:test'

import { instrumentedApp, openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

const MALFORMED = ['%', '%f', '%zz', '%ff', '%c0%ae', '%ed%a0%80', '%e0%a4', '%u0041', 'a%']

const app = await opened(openTestApp('migrated'))
const served = instrumentedApp(app.deps)

const send = async (method: string, target: string) => {
  const response = await served.handle(new Request(app.deps.config.baseUrl + target, { method }))
  return { status: response.status, text: await response.text() }
}

/** The routes, once each: `ALL` stands for the methods that a path does not have. */
const routes = () => served.routes.filter(({ method }) => method !== 'ALL')

describe('malformed percent-encoding', () => {
  test('in any parameter of any path is 400', async () => {
    const withParameters = routes().filter(({ path }) => /[:*]/.test(path))
    expect(withParameters.length).toBeGreaterThan(40)
    for (const { method, path } of withParameters)
      for (const value of MALFORMED) {
        const target = path.replace(/:\w+|\*/g, value)
        const { status, text } = await send(method, target)
        expect([method, target, status, text]).toEqual([method, target, 400, expect.stringContaining('"path":"path"')])
      }
  })

  test('in the query of any route is 400, in names and in values', async () => {
    expect(routes().length).toBeGreaterThan(150)
    for (const { method, path } of routes())
      for (const query of ['q=%ff', '%zz=1', 'limit=1&utm_source=50%'])
        expect([method, path, query, (await send(method, `${path}?${query}`)).status]).toEqual([
          method,
          path,
          query,
          400,
        ])
  })

  test('on an unknown path is 400 as well', async () => {
    for (const value of MALFORMED) expect((await send('GET', `/nowhere/${value}`)).status).toBe(400)
  })

  test('names the part of the address, on the agent servers as a JSON-RPC error', async () => {
    expect(JSON.parse((await send('GET', '/api/v1/cities?state=%ff')).text)).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'query', message: 'must be percent-encoded UTF-8' }],
    })
    expect(JSON.parse((await send('POST', '/api/mcp?a=%ff')).text)).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32602, data: { errors: [{ path: 'query' }] } },
    })
  })

  test('leaves well-formed encoding and literal letters alone', async () => {
    for (const target of ['/api/v1/cities?state=%54%58', '/?utm_source=100%25', '/?q=caf%C3%A9'])
      expect((await send('GET', target)).status).toBe(200)
    expect((await send('GET', '/api/v1/pros/caf%C3%A9%20%F0%9F%92%A5')).status).toBe(404)
  })
})
