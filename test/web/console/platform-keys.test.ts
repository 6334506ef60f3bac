// /console/platform-keys: operators make and end the keys of their programs, administrators end those of all.
import { expect, test } from 'bun:test'

import type { OperatorRole } from '../../../src/auth/users/rules/operator-roles.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { createTestUser, visitorFromNewAddress } from '../../support/visitor.ts'

const PATH = '/console/platform-keys'
const app = await opened(openTestApp('migrated'))

async function operatorOf(operatorRole: OperatorRole) {
  const email = await createTestUser(app, 'operator', { operatorRole })
  const visitor = visitorFromNewAddress(app)
  await visitor.logIn(email)
  return { email, visitor }
}
type Operator = Awaited<ReturnType<typeof operatorOf>>

const administrator = await operatorOf('administrator')
const support = await operatorOf('support')

/** Makes a key on the page, and returns it with its id. */
async function make({ visitor }: Operator, name: string, fields: Record<string, string> = {}) {
  const sent = await visitor.post(PATH, { name, access: 'write', ...fields })
  expect([sent.status, sent.location]).toEqual([303, PATH])
  const [key = ''] = /hearth_live_\w{32}/.exec((await visitor.get(PATH)).text) ?? []
  const [row] = await app.sql<{ id: string }[]>`select id from api_keys where name = ${name}`
  return { key, id: row?.id ?? '' }
}

const answer = async (key: string, path: string, json?: object) => {
  const response = await app.send(`/api/v1/platform${path}`, { key, ...(json && { method: 'POST', json }) })
  return [response.status, response.ok ? '' : ((await response.json()) as { code: string }).code]
}
const actsOn = async (id: string) => {
  const acts = await app.sql<{ action: string; by: string }[]>`
    select a.action, u.email as by from operator_actions a join users u on u.id = a.by_user_id
    where a.subject_id = ${id} order by a.at, a.id`
  return acts.map(({ action, by }) => ({ action, by }))
}

test('a key is shown once, acts with the role of its operator, and stands in the log', async () => {
  const { key, id } = await make(support, 'Phone system')
  expect(await answer(key, '/pros')).toEqual([200, ''])
  expect(await answer(key, '/pros', { businessName: 'Oak Works' })).toEqual([403, 'role_not_allowed'])
  const { text } = await support.visitor.get(PATH)
  expect([text.includes('Phone system'), text.includes(key), text.includes('you, support')]).toEqual([
    true,
    false,
    true,
  ])
  expect(await actsOn(id)).toEqual([{ action: 'key.created', by: support.email }])
  expect((await administrator.visitor.get('/console/log?kind=key')).text).toContain('Platform key created')
})

test('one that reads changes nothing', async () => {
  const { key } = await make(administrator, 'Reports', { access: 'read' })
  expect(await answer(key, '/marketplace')).toEqual([200, ''])
  expect(await answer(key, '/places/districts', { name: 'The Annex' })).toEqual([403, 'insufficient_scope'])
})

test('operators see and end their own keys, and administrators those of all', async () => {
  const [own, other] = [await make(support, 'Of support'), await make(administrator, 'Of an administrator')]
  expect((await support.visitor.get(PATH)).text).not.toContain('Of an administrator')
  expect((await support.visitor.post(`${PATH}/${other.id}/revoke`)).status).toBe(404)
  expect([await answer(other.key, '/pros'), (await actsOn(other.id)).length]).toEqual([[200, ''], 1])
  const { text } = await administrator.visitor.get(PATH)
  for (const shown of ['Of support', 'Of an administrator', support.email, '“Of support” stops working immediately'])
    expect(text).toContain(shown)
  expect((await administrator.visitor.post(`${PATH}/${own.id}/revoke`)).location).toBe(PATH)
  expect(await waitUntil(async () => (await answer(own.key, '/pros'))[0] === 401, 5000)).toBe(true)
  expect(await actsOn(own.id)).toEqual([
    { action: 'key.created', by: support.email },
    { action: 'key.revoked', by: administrator.email },
  ])
  expect((await administrator.visitor.post(`${PATH}/${own.id}/revoke`)).status).toBe(404)
})

test('keys of developers are not ended here', async () => {
  await app.key(['pros:read'], 'developer-keys@test.example')
  const [row] = await app.sql<{ id: string }[]>`
    select k.id from api_keys k join accounts a on a.id = k.account_id where a.email = 'developer-keys@test.example'`
  expect((await administrator.visitor.get(PATH)).text).not.toContain('developer-keys@test.example')
  expect((await administrator.visitor.post(`${PATH}/${row?.id}/revoke`)).status).toBe(404)
})

test('an operator whose address has other keys is told so, and keeps what was typed', async () => {
  const operator = await operatorOf('finance')
  await app.key(['pros:read'], operator.email)
  const { status, text } = await operator.visitor.post(PATH, { name: 'Books', access: 'write', expires: '2027-01-31' })
  expect(status).toBe(400)
  for (const shown of ['cannot have platform keys beside them', 'value="Books"', 'value="2027-01-31"'])
    expect(text).toContain(shown)
})

test('a key that would have ended already is refused beside its field', async () => {
  const refused = await administrator.visitor.post(PATH, { name: 'Old', access: 'write', expires: '2020-01-01' })
  expect([refused.status, refused.text.includes('Must be in the future')]).toEqual([400, true])
})

test('one’s account leads here', async () => {
  expect((await support.visitor.get('/console/account')).text).toContain(`href="${PATH}"`)
})
