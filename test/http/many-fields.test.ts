// Bodies with more fields than any request needs are refused before they are examined.
import { expect, test } from 'bun:test'

import { PRESETS } from '../../src/auth/scopes.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { findPros } from '../support/reviews.ts'

const app = await opened(openTestApp())
const [pro] = await findPros(app, 1)

const send = async (path: string, body: string, type: string, key?: string) => {
  const init = { method: 'POST', body, headers: { 'content-type': type }, ...(key ? { key } : {}) }
  const response = await app.app.handle(testRequest(app.deps.config.baseUrl, path, init))
  return { status: response.status, text: await response.text() }
}
const form = (fields: number) => Array.from({ length: fields }, (_, n) => `a${n % 7}=`).join('&')

const UNREADABLE = '<h1>Something is not right</h1>'

test.each(['/console/login', '/console/password/x', '/pay/x', '/pros/x/book', `/pros/${pro?.slug}/quote`])(
  'a form of 131,000 fields is 400 at %s, and one of 500 is read',
  async (path) => {
    const type = 'application/x-www-form-urlencoded'
    for (const body of ['&'.repeat(131_000), form(501)]) {
      const { status, text } = await send(path, body, type)
      expect([status, text]).toEqual([400, expect.stringContaining(UNREADABLE)])
    }
    expect((await send(path, `outcome=succeeds&${form(499)}`, type)).text).not.toContain(UNREADABLE)
  },
)

test.each(['/api/v1/bookings', '/api/mcp/customer'])('JSON of more than 20,000 values is 400 at %s', async (path) => {
  const key = await app.key([...PRESETS['full-server'], ...PRESETS['agent-tools']])
  const bodies = [
    `[${'{},'.repeat(80_000)}{}]`,
    `{"a":{"b":[${'1,'.repeat(20_000)}1]}}`,
    `{${Array.from({ length: 25_000 }, (_, n) => `"${n.toString(36)}":1`).join(',')}}`,
  ]
  for (const body of bodies) {
    const { status, text } = await send(path, body, 'application/json', key)
    expect([status, text]).toEqual([400, expect.stringContaining('at most 20000 values')])
  }
  const readable = `{"a":[${'1,'.repeat(19_000)}1]}`
  expect((await send(path, readable, 'application/json', key)).text).not.toContain('20000 values')
})
