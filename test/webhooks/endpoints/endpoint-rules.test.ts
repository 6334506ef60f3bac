// What an endpoint may be, when it is created and when it is changed.
import { expect, test } from 'bun:test'

import { ensureAccount } from '../../../src/auth/accounts/verbs.ts'
import type { Deps } from '../../../src/deps.ts'
import { createWebhook, changeWebhook } from '../../../src/webhooks/endpoints/verbs/endpoints.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp('migrated'))
const ownerOf = async (email: string) => (await ensureAccount(ctxOf(app.deps), { email })).id
const create = (accountId: string, url = 'https://hooks.test.example/', deps: Deps = app.deps) =>
  createWebhook(ctxOf(deps, { accountId }), { name: 'rules', url, events: ['quote.sent'] })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

test('an account has at most 100 endpoints', async () => {
  const [full, other] = [await ownerOf('full@test.example'), await ownerOf('other@test.example')]
  for (let n = 0; n < 100; n++) await create(full)
  expect(await codeOf(create(full))).toBe('too_many_webhooks')
  expect(await codeOf(create(other))).toBe('done')
})

test('a private or malformed address is refused when an endpoint is created and when it is changed', async () => {
  const owner = await ownerOf('targets@test.example')
  const { id } = await create(owner)
  for (const url of [
    'https://127.0.0.1/',
    'https://db.internal/',
    'https://u:p@hooks.test.example/',
    'ftp://h.example/',
  ]) {
    expect([url, await codeOf(create(owner, url))]).toEqual([url, 'validation_failed'])
    expect([url, await codeOf(changeWebhook(ctxOf(app.deps, { accountId: owner }), { url, id }))]).toEqual([
      url,
      'validation_failed',
    ])
  }
  expect(
    await codeOf(changeWebhook(ctxOf(app.deps, { accountId: owner }), { url: 'https://hooks.test.example/new', id })),
  ).toBe('done')
})

test('plain http is refused in production', async () => {
  const owner = await ownerOf('production@test.example')
  const url = 'http://hooks.test.example/'
  expect(await codeOf(create(owner, url))).toBe('done')
  const production: Deps = { ...app.deps, config: { ...app.deps.config, environment: 'production' } }
  expect(await codeOf(create(owner, url, production))).toBe('validation_failed')
})
