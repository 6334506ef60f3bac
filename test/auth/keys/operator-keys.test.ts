// Keys of operators: who gets one, what it may do, and when it ends.
import { expect, test } from 'bun:test'

import { createKey, revokeKey } from '../../../src/auth/keys/verbs/keys.ts'
import { PRESETS, type Scope } from '../../../src/auth/scopes.ts'
import { createUser, disableUser } from '../../../src/auth/users/verbs/users.ts'
import { ctxOf } from '../../../src/ctx.ts'
import type { AppError } from '../../../src/errors/app-error.ts'
import { createKeyInMode } from '../../../src/features/upkeep/test-mode/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'

const app = await opened(openTestApp('migrated'))
const ctx = ctxOf(app.deps)

const newOperator = async () => {
  const email = `${crypto.randomUUID()}@operators.example`
  await createUser(ctx, { email, role: 'operator' })
  return email
}
const create = (
  ownerEmail: string,
  { scopes = PRESETS.platform, mode = 'live' }: { scopes?: readonly Scope[]; mode?: 'live' | 'test' } = {},
) => createKeyInMode(ctx, { ownerEmail, scopes, mode, name: 'platform' })
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'created',
    ({ errors = [] }: AppError) => errors.map(({ path, message }) => `${path} ${message}`).join('; '),
  )
const answer = async (key: string, path = '/api/v1/pros') => {
  const response = await app.send(path, { key })
  return [response.status, response.status === 200 ? '' : ((await response.json()) as { code: string }).code]
}

test('an operator has a key that public routes know, and that no route of pros and customers takes', async () => {
  const { secret } = await create(await newOperator())
  expect(await answer(secret)).toEqual([200, ''])
  expect(await answer(secret, '/api/v1/rfqs?email=a@test.example')).toEqual([403, 'insufficient_scope'])
  expect(await answer(secret, '/api/v1/pro/bookings')).toEqual([401, 'invalid_key'])
  expect(await answer(secret, '/api/v1/webhooks')).toEqual([403, 'insufficient_scope'])
  const [account] = await app.sql`
    select a.kind from accounts a join api_keys k on k.account_id = a.id where k.last_four = ${secret.slice(-4)}`
  expect(account).toEqual({ kind: 'operator' })
})

test('only an operator gets one, live and with the scopes of operators alone', async () => {
  const operator = await newOperator()
  const isOperator = 'owner must be the address with which an operator logs in: the key acts for them'
  expect(await refusalOf(create('developer@test.example'))).toBe(isOperator)
  expect(await refusalOf(create('not an address'))).toBe('owner must be an e-mail address')
  expect(await refusalOf(create(operator, { mode: 'test' }))).toBe('mode must be live: operators have no test mode')
  expect(await refusalOf(create(operator, { scopes: ['platform:read', 'pros:read'] }))).toBe(
    'scopes must be those of an operator alone: create another key for the others',
  )
  await create(operator)
  expect(await refusalOf(createKey(ctx, { ownerEmail: operator, scopes: ['pros:read'], name: 'other' }))).toBe(
    'owner has the account of an operator, whose keys have the scopes of the preset platform only',
  )
  const both = await newOperator()
  await app.key(['pros:read'], both)
  expect(await refusalOf(create(both))).toBe(
    'owner has an account of another kind already: create the key for another operator',
  )
})

test('it ends when it is revoked, and with the log-in of the operator', async () => {
  await newOperator()
  const operator = await newOperator()
  const [one, other] = [await create(operator), await create(operator)]
  expect([await answer(one.secret), await answer(other.secret)]).toEqual([
    [200, ''],
    [200, ''],
  ])
  await revokeKey(ctx, { id: one.id })
  expect(await waitUntil(async () => (await answer(one.secret))[0] === 401, 5000)).toBe(true)
  expect(await answer(other.secret)).toEqual([200, ''])
  await disableUser(ctx, { email: operator })
  expect(await waitUntil(async () => (await answer(other.secret))[0] === 401, 3000)).toBe(true)
})
