// Programs of operators list, create, invite and change pros, as the pages of the console do.
import { expect, test } from 'bun:test'

import { askForVerification, listEvidence, setMarks } from '../../../../src/features/business/verification/verbs.ts'
import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { createOperatorWithKey } from '../../../support/operator-keys.ts'

const app = await opened(openTestApp('migrated'))
await seed(app.sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
const ctx = ctxOf(app.deps)
const operator = await createOperatorWithKey(app)
const PATH = '/api/v1/platform/pros'

type Pro = Record<'id' | 'slug' | 'externalId' | 'status', string> & Record<'owner' | 'place' | 'marks', object>
interface Answer {
  status: number
  body: { pro: Pro; pros: Pro[]; nextCursor: string | null; code: string; errors?: { path: string; message: string }[] }
}

async function call(
  method: string,
  path: string,
  json?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await app.send(path, { method, key: operator.key, headers, ...(json ? { json } : {}) })
  const body = (await response.json()) as Answer['body']
  return { status: response.status, body }
}
const faultsOf = ({ body: { errors = [] } }: Answer) => errors.map(({ path, message }) => `${path} ${message}`)

const newPro = (says: object = {}) => ({
  businessName: 'Oak Plumbing',
  email: `owner-${crypto.randomUUID()}@test.example`,
  place: 'Columbus, OH',
  serviceRadiusMiles: 20,
  ...says,
})
const created = async (says: object = {}) => (await call('POST', PATH, newPro(says))).body.pro
const actionsOn = async (subjectId: string) =>
  (await listActions(ctx, { subjectId })).map(({ action, by, reason }) => [action, by, reason])
const invitationsTo = async (email: string) =>
  (
    await app.sql<{ n: number }[]>`
    select count(*)::int as n from messages where kind = 'invitation' and recipient = ${email}`
  )[0]?.n

test('a pro is created as its page does, with an id of the operator’s own system', async () => {
  const says = newPro({ externalId: 'crm-1', phone: '614-555-0142' })
  const { status, body } = await call('POST', PATH, says)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    isOutsideArea: false,
    pro: {
      externalId: 'crm-1',
      slug: 'oak-plumbing-columbus-oh',
      businessName: 'Oak Plumbing',
      status: 'active',
      pausedByOperator: false,
      owner: { email: says.email, hasLogin: false },
      phone: '614-555-0142',
      place: { city: 'Columbus', state: 'OH', timeZone: 'America/New_York' },
      serviceRadiusMiles: 20,
      plan: 'none',
      marks: { verified: false, backgroundCheck: false, insurance: false, credentials: false },
      services: [],
      closing: null,
    },
  })
  expect(await actionsOn(body.pro.id)).toEqual([['pro.created', operator.email, null]])
  expect((await call('GET', `${PATH}/${body.pro.id}`)).body.pro).toEqual(body.pro)
  expect(await invitationsTo(says.email)).toBe(0)
})

test('the same Idempotency-Key makes one pro and sends one invitation', async () => {
  const says = newPro({ externalId: 'once', invite: true })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const [first, second] = [await call('POST', PATH, says, headers), await call('POST', PATH, says, headers)]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect(first.body.pro.owner).toEqual({ email: says.email, hasLogin: true })
  expect(await invitationsTo(says.email)).toBe(1)
  expect((await call('GET', `${PATH}?externalId=once`)).body.pros).toEqual([first.body.pro])
  const other = await call('POST', PATH, { ...says, phone: '614-555-0143' }, headers)
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
})

test('every field that is wrong is named as the body names it, and nothing is created', async () => {
  const taken = newPro({ externalId: 'taken' })
  await call('POST', PATH, taken)
  const before = await app.sql`select count(*)::int as n from professionals`
  expect(faultsOf(await call('POST', PATH, newPro({ place: 'Faraway Town' })))).toEqual([
    'body.place must be a city of the catalog or a ZIP code, such as "Columbus, OH" or 43215',
  ])
  expect(faultsOf(await call('POST', PATH, newPro({ plan: 'no-such-plan' })))).toEqual([
    'body.plan must be one of none, verified, business',
  ])
  expect(faultsOf(await call('POST', PATH, newPro({ externalId: 'taken' })))).toEqual([
    'body.externalId is the id of another pro',
  ])
  expect(faultsOf(await call('POST', PATH, newPro({ email: taken.email })))).toEqual([
    'body.email belongs to a pro already',
  ])
  expect(faultsOf(await call('POST', PATH, { businessName: '', serviceRadiusMiles: 900 })).length).toBe(4)
  expect(faultsOf(await call('POST', PATH, newPro({ verified: true })))[0]).toStartWith('body.verified')
  expect(await app.sql`select count(*)::int as n from professionals`).toEqual(before)
})

test('two requests at once with one external id make one pro', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => call('POST', PATH, newPro({ externalId: 'race' }))))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
})

test('pages follow by cursor and show each pro once, also those who are paused', async () => {
  for (const n of [1, 2, 3, 4, 5]) await created({ businessName: `Page ${n}` })
  const [row] = await app.sql<{ ids: string[] }[]>`select array_agg(id::text order by id) as ids from professionals`
  const seen: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const { body }: Answer = await call('GET', `${PATH}?limit=3${next && `&cursor=${next}`}`)
    expect(body.pros.length).toBeLessThanOrEqual(3)
    seen.push(...body.pros.map(({ id }) => id))
    next = body.nextCursor
  }
  expect(seen).toEqual(row?.ids ?? [])
})

test('pros are found by status, external id, name, address and id', async () => {
  const pro = await created({ businessName: 'Zebra Roofing', externalId: 'zebra/1', email: 'zebra@test.example' })
  await call('POST', `${PATH}/${pro.id}/status`, { action: 'pause', reason: 'On holiday.' })
  const found = async (query: string) => (await call('GET', `${PATH}?${query}`)).body.pros.map(({ id }) => id)
  for (const query of ['status=paused', 'externalId=zebra%2F1', 'q=zEbRa', 'q=zebra@test.example', `q=${pro.id}`])
    expect([query, await found(query)]).toEqual([query, [pro.id]])
  expect(await found('q=zebra&status=active')).toEqual([])
  expect(await found('externalId=zebra')).toEqual([])
  expect((await call('GET', `${PATH}?cursor=x`)).status).toBe(400)
})

test('test pros are none of the marketplace', async () => {
  await app.key(['pros:read'])
  const pro = await created()
  await app.sql`
    update professionals set active = false, test_account_id = (select id from accounts where kind = 'developer' limit 1)
    where id = ${pro.id}`
  expect((await call('GET', `${PATH}/${pro.id}`)).status).toBe(404)
  expect((await call('GET', `${PATH}?q=${pro.id}`)).body.pros).toEqual([])
  expect((await call('POST', `${PATH}/${pro.id}/status`, { action: 'pause', reason: 'x' })).status).toBe(404)
})

test('a pro is paused, resumed, closed and reopened with a reason, and told each time', async () => {
  const pro = await created({ email: 'states@test.example' })
  const act = async (action: string) => {
    const { status, body } = await call('POST', `${PATH}/${pro.id}/status`, { action, reason: `To ${action}.` })
    return [status, body.pro?.status ?? body.code]
  }
  expect(await act('pause')).toEqual([200, 'paused'])
  expect(await act('pause')).toEqual([409, 'invalid_transition'])
  expect(await act('resume')).toEqual([200, 'active'])
  expect((await call('GET', `${PATH}/${pro.id}/open-work`)).body).toMatchObject({ visits: 0, refunds: [] })
  expect(await act('close')).toEqual([200, 'closed'])
  expect((await call('GET', `${PATH}/${pro.id}`)).body.pro).toMatchObject({ closing: { erasedAt: null } })
  expect((await call('POST', `${PATH}/${pro.id}/invitation`)).body.code).toBe('invalid_transition')
  expect(await act('reopen')).toEqual([200, 'paused'])
  expect(await actionsOn(pro.id)).toEqual([
    ['pro.reopened', operator.email, 'To reopen.'],
    ['pro.closed', operator.email, 'To close.'],
    ['pro.resumed', operator.email, 'To resume.'],
    ['pro.paused', operator.email, 'To pause.'],
    ['pro.created', operator.email, null],
  ])
  const told = await app.sql<{ n: number }[]>`
    select count(*)::int as n from messages where kind = 'pro-status' and recipient = 'states@test.example'`
  expect(told[0]?.n).toBe(4)
})

test('a refused action is replayed under its Idempotency-Key although the pro has changed', async () => {
  const { id } = await created()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const resume = () => call('POST', `${PATH}/${id}/status`, { action: 'resume', reason: 'Back.' }, headers)
  expect((await resume()).status).toBe(409)
  await call('POST', `${PATH}/${id}/status`, { action: 'pause', reason: 'Away.' })
  expect([(await resume()).status, (await call('GET', `${PATH}/${id}`)).body.pro.status]).toEqual([409, 'paused'])
})

test('marks are set with a reason, and the same marks once more change nothing', async () => {
  const { id } = await created()
  const marks = { verified: true, backgroundCheck: true, insurance: false, credentials: false }
  await askForVerification(ctxOf(app.deps, { professionalId: id }), {})
  const set = () => call('PUT', `${PATH}/${id}/marks`, { ...marks, reason: 'Papers seen.' })
  expect((await set()).body.pro).toMatchObject({ marks, askedForVerificationAt: null })
  await set()
  expect(await actionsOn(id)).toEqual([
    ['pro.verification', operator.email, 'Papers seen.'],
    ['pro.created', operator.email, null],
  ])
  expect((await call('PUT', `${PATH}/${id}/marks`, marks)).status).toBe(400)
})

test('a program that sets marks leaves their last day, which operators write on the page', async () => {
  const { id } = await created()
  const marks = { verified: false, backgroundCheck: false, insurance: true, credentials: false }
  const insured = { mark: 'insurance', evidence: 'Policy 4711', validUntil: '2099-01-15' } as const
  await setMarks(ctx, { professionalId: id, marks, evidence: [insured], reason: 'Seen.', by: null })
  expect((await call('PUT', `${PATH}/${id}/marks`, { ...marks, verified: true, reason: 'Papers seen.' })).status).toBe(
    200,
  )
  expect(await listEvidence(ctx, { professionalId: id })).toEqual([insured])
})

test('a request to be verified is refused with a reason', async () => {
  const { id } = await created()
  const refuse = () => call('POST', `${PATH}/${id}/verification/refuse`, { reason: 'Another name.' })
  expect((await refuse()).body.code).toBe('invalid_transition')
  await askForVerification(ctxOf(app.deps, { professionalId: id }), {})
  expect((await call('GET', `${PATH}/${id}`)).body.pro).toMatchObject({ askedForVerificationAt: expect.any(String) })
  expect((await refuse()).body.pro).toMatchObject({ askedForVerificationAt: null })
})

test('an owner without a log-in is invited once, and the answer has no link', async () => {
  const pro = await created({ email: 'invited@test.example' })
  const { status, body } = await call('POST', `${PATH}/${pro.id}/invitation`)
  expect([status, body.pro.owner]).toEqual([201, { email: 'invited@test.example', hasLogin: true }])
  expect(JSON.stringify(body)).not.toContain('/console/password/')
  expect((await call('POST', `${PATH}/${pro.id}/invitation`)).body.code).toBe('user_exists')
  // The owner logs in with another address by now.
  await app.sql`update users set email = 'moved@test.example' where email = 'invited@test.example'`
  expect((await call('POST', `${PATH}/${pro.id}/invitation`)).body.code).toBe('user_exists')
  expect(await invitationsTo('invited@test.example')).toBe(1)
  expect((await actionsOn(pro.id))[0]).toEqual(['member.invited', operator.email, null])
})
