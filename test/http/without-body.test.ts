// POST routes that take no body.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { SCOPES, type Scope, isWidgetScope } from '../../src/auth/scopes.ts'
import { UPLOAD_KEY } from '../../src/http/guard.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { createOperatorWithKey } from '../support/operator-keys.ts'
import { findPros } from '../support/reviews.ts'

const app = await opened(openTestApp())

test('every POST route without a body refuses fields, and takes an empty body or object', async () => {
  const [pro] = await findPros(app, 1)
  const scopes = (Object.keys(SCOPES) as Scope[]).filter((scope) => !isWidgetScope(scope))
  const key = await app.key(scopes, pro?.email)
  const operator = await createOperatorWithKey(app)
  const routes = app.app.routes.filter(
    ({ method, path, hooks }) =>
      method === 'POST' && path.startsWith('/api/') && !hooks.body && !(UPLOAD_KEY in (hooks.detail ?? {})),
  )
  expect(routes.map(({ path }) => path)).toContain('/api/v1/webhooks/:id/test')
  for (const { path } of routes) {
    const filled = path.replace(/:\w+/g, () => randomUUID())
    const post = (body?: string) =>
      app.send(filled, {
        method: 'POST',
        key: path.startsWith('/api/v1/platform/') ? operator.key : key,
        ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
      })
    const refused = await post('{"surprise":1}')
    expect([path, refused.status, await refused.json()]).toMatchObject([
      path,
      400,
      { errors: [{ path: 'body.surprise', message: 'is not a known field' }] },
    ])
    for (const body of ['[]', '5', '{']) expect([path, body, (await post(body)).status]).toEqual([path, body, 400])
    for (const body of [undefined, '{}', ' ']) expect(await (await post(body)).text()).not.toContain('"path":"body')
  }
})
