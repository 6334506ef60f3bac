// An operator creates a pro by a form: with a page, an account and a login whose owner chooses the password, all or nothing.
import { expect, test } from 'bun:test'

import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { Visitor, createTestUser } from '../../support/visitor.ts'

const PATH = '/console/pros/new'
const app = await opened(openTestApp())
const operatorEmail = await createTestUser(app, 'operator')
const operator = new Visitor(app)
await operator.logIn(operatorEmail)

const oak = (changes: Record<string, string> = {}) => ({
  businessName: 'Oak Plumbing',
  email: `${crypto.randomUUID()}@pros.example`,
  place: 'Columbus, OH',
  radius: '25',
  phone: '',
  plan: 'none',
  ...changes,
})
const countPros = async () => (await app.sql<{ n: number }[]>`select count(*)::int as n from professionals`)[0]?.n

test('the pro has a page at once, and the owner chooses a password with the link', async () => {
  const fields = oak({ plan: 'verified', place: '43215' })
  expect((await operator.get('/console/verification')).text).toContain(`href="${PATH}"`)
  const { status, location } = await operator.post(PATH, fields)
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/console\/verification\/[\w-]{36}$/)])
  const { text } = await operator.get(location ?? '')
  expect(text).toContain('Oak Plumbing has a page.')
  const link = /\/console\/password\/[\w-]{43}/.exec(text)?.[0] ?? ''
  const slug = /href="\/pros\/([\w-]+)"/.exec(text)?.[1] ?? ''
  expect((await new Visitor(app).get(`/pros/${slug}`)).text).toContain('Oak Plumbing')

  const owner = new Visitor(app)
  await owner.get(link)
  expect((await owner.post(link, { password: 'chosen by the owner' })).status).toBe(303)
  expect(await owner.logIn(fields.email, 'chosen by the owner')).toMatchObject({ status: 303, location: '/console' })
  expect((await owner.get('/console/services')).status).toBe(200)

  const [made] = await app.sql<{ plan: string; by: string; mails: number }[]>`
    select p.plan, u.email as by,
      (select count(*)::int from messages where recipient = ${fields.email}) as mails
    from professionals p join operator_actions a on a.professional_id = p.id and a.action = 'pro.created'
    join users u on u.id = a.by_user_id
    where p.slug = ${slug}`
  expect(made).toMatchObject({ plan: 'verified', by: operatorEmail, mails: 1 })
})

test('every wrong field is named, what was typed is kept, and nothing is created', async () => {
  const before = await countPros()
  const { status, text } = await operator.post(PATH, oak({ email: 'oak', place: 'Nowhere at all', radius: 'far' }))
  expect(status).toBe(400)
  for (const field of ['email', 'radius'])
    expect([field, text]).toEqual([field, expect.stringContaining(`href="#${field}"`)])
  expect(text).toContain('value="Oak Plumbing"')
  const unknown = await operator.post(PATH, oak({ place: 'Nowhere at all' }))
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('href="#place"')])
  expect(await countPros()).toBe(before)
})

test('an address that logs in already makes no pro without a login', async () => {
  const before = await countPros()
  const email = await createTestUser(app, 'operator')
  const { status } = await operator.post(PATH, oak({ email }))
  expect([status, await countPros()]).toEqual([409, before])
})
