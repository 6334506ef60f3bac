// Keys of operators: who gets one, what it may do, and when it ends.
import { expect, test } from 'bun:test'

import { createKey } from '../../../src/auth/keys/verbs/keys.ts'
import { PRESETS, type Scope } from '../../../src/auth/scopes.ts'
import { askForEmail, confirmEmail } from '../../../src/auth/users/verbs/email-change.ts'
import { createUser, disableUser } from '../../../src/auth/users/verbs/users.ts'
import { ctxOf } from '../../../src/ctx.ts'
import type { AppError } from '../../../src/errors/app-error.ts'
import { revokeAnyKey, rotateAnyKey } from '../../../src/features/upkeep/operator-keys/verbs.ts'
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
  await revokeAnyKey(ctx, { id: one.id })
  expect(await waitUntil(async () => (await answer(one.secret))[0] === 401, 5000)).toBe(true)
  expect(await answer(other.secret)).toEqual([200, ''])
  await disableUser(ctx, { email: operator })
  expect(await waitUntil(async () => (await answer(other.secret))[0] === 401, 3000)).toBe(true)
})

test('what a command does to it stands in the audit log, and what it does to other keys does not', async () => {
  const owner = await newOperator()
  const key = await create(owner)
  const successor = await rotateAnyKey(ctx, { id: key.id, overlapHours: 24 })
  await revokeAnyKey(ctx, { id: key.id })
  const acts = await app.sql<{ action: string; subjectId: string; by: string | null; details: { owner: string } }[]>`
    select action, subject_id, by_user_id as by, details from operator_actions where details ->> 'owner' = ${owner} order by at, id`
  expect(acts.map(({ action, subjectId, by }) => [action, subjectId, by])).toEqual([
    ['key.created', key.id, null],
    ['key.created', successor.id, null],
    ['key.revoked', key.id, null],
  ])
  const other = await createKey(ctx, { ownerEmail: 'developer@test.example', scopes: ['pros:read'], name: 'other' })
  await revokeAnyKey(ctx, { id: other.id })
  expect(await app.sql`select from operator_actions where subject_id = ${other.id}`).toHaveLength(0)
})

const changeAddress = async (from: string, to: string) => {
  const [user] = await app.sql<{ id: string }[]>`select id from users where email = ${from}`
  const userId = user?.id ?? ''
  let token = ''
  const planMessages = (_: unknown, asked: { token: string | null }) => Promise.resolve((token = asked.token ?? ''))
  await askForEmail(ctx, { userId, email: to, by: userId, planMessages })
  await confirmEmail(ctx, { token, planMessage: () => Promise.resolve() })
}

test('it follows the operator to another address, and acts for no other operator who gets the former one', async () => {
  const [from, to] = [await newOperator(), `${crypto.randomUUID()}@operators.example`]
  const { secret } = await create(from)
  await changeAddress(from, to)
  expect(await answer(secret)).toEqual([200, ''])
  await createUser(ctx, { email: from, role: 'operator' })
  expect((await create(from)).owner).toBe(from)
  const [{ owner } = {}] = await app.sql<{ owner: string }[]>`
    select a.email as owner from api_keys k join accounts a on a.id = k.account_id where k.last_four = ${secret.slice(-4)}`
  expect(owner).toBe(to)
})

test('it ends when the new address of the operator has an account of its own', async () => {
  const [from, to] = [await newOperator(), `${crypto.randomUUID()}@operators.example`]
  const { secret } = await create(from)
  await app.key(['pros:read'], to)
  await changeAddress(from, to)
  expect(await waitUntil(async () => (await answer(secret))[0] === 401, 5000)).toBe(true)
  await createUser(ctx, { email: from, role: 'operator' })
  expect((await answer(secret))[0]).toBe(401)
})
