// Operators define plans and give them to pros by pages; the pro sees the plan, its end and what is left.
import { expect, test } from 'bun:test'

import { openTestApp } from '../../support/app.ts'
import { agentPro } from '../../support/agents.ts'
import { opened } from '../../support/fixture.ts'
import { Visitor, createTestUser } from '../../support/visitor.ts'

const app = await opened(openTestApp())
const operatorEmail = await createTestUser(app, 'operator')
const operator = new Visitor(app)
await operator.logIn(operatorEmail)
const PLANS = '/console/plans'
const gold = (changes: Record<string, string> = {}) => ({
  name: 'Gold',
  price: '49.50',
  tasks: '300',
  hasAgentServer: 'true',
  ...changes,
})

test('a plan is added, listed, changed, retired and offered again, with its history', async () => {
  expect((await operator.get('/console')).text).toContain(`href="${PLANS}"`)
  expect(await operator.post(PLANS, gold())).toMatchObject({ status: 303, location: `${PLANS}/gold` })
  const list = (await operator.get(PLANS)).text
  expect(list).toMatch(/href="\/console\/plans\/gold">Gold<.*\$49\.50.*300.*Included.*On offer/s)
  expect(list).not.toContain('/console/plans/none')

  expect((await operator.get(`${PLANS}/gold`)).text).toContain('value="49.5"')
  expect((await operator.post(`${PLANS}/gold`, gold({ price: '', tasks: '1500' }))).status).toBe(303)
  expect((await operator.post(`${PLANS}/gold/retire`)).status).toBe(303)
  const { text } = await operator.get(`${PLANS}/gold`)
  expect(text).toMatch(/Retired.*Gold, no price, 1,500 tasks, agent server included/s)
  expect(text).toContain(operatorEmail)
  expect((await operator.get('/console/pros/new')).text).not.toContain('value="gold"')
  expect((await operator.post(`${PLANS}/gold/offer`)).status).toBe(303)
  expect((await operator.get('/console/pros/new')).text).toContain('value="gold"')
})

test('a form that shows what another operator has changed since is refused, and loses nothing', async () => {
  const page = (await operator.get(`${PLANS}/verified`)).text
  const seen = /name="seen" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const terms = { name: 'Verified', price: '', hasAgentServer: 'true', seen }
  expect((await operator.post(`${PLANS}/verified`, { ...terms, tasks: '101' })).status).toBe(303)
  const late = await operator.post(`${PLANS}/verified`, { ...terms, tasks: '99' })
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('Another operator changed this')])
  expect(late.text).toContain('value="99"')
  const [row] = await app.sql`select tasks from plans where id = 'verified'`
  expect(row).toEqual({ tasks: 101 })
  const again = /name="seen" value="([^"]+)"/.exec(late.text)?.[1] ?? ''
  expect((await operator.post(`${PLANS}/verified`, { ...terms, tasks: '100', seen: again })).status).toBe(303)
})

test('every wrong field of a plan is named, and what was typed is kept', async () => {
  const { status, text } = await operator.post(PLANS, gold({ name: '', price: '0.005', tasks: 'many' }))
  expect(status).toBe(400)
  for (const field of ['name', 'tasks']) expect([field, text.includes(`href="#${field}"`)]).toEqual([field, true])
  expect(text).toContain('value="many"')
  const cents = await operator.post(PLANS, gold({ name: 'Cents', price: '0.005' }))
  expect([cents.status, cents.text]).toEqual([400, expect.stringContaining('at most two decimals')])
  const taken = await operator.post(PLANS, gold({ name: 'business' }))
  expect([taken.status, taken.text]).toEqual([400, expect.stringContaining('too close to the name of another plan')])
})

test('a pro is given a plan with an end on the pro’s page, and sees it; after the end agents are refused', async () => {
  const pro = await agentPro(app, { plan: 'none' })
  const page = `/console/verification/${pro.id}`
  const owner = new Visitor(app)
  await owner.logIn(await createTestUser(app, 'pro', { pro: pro.id }))
  const call = async () => {
    const response = await app.send('/api/mcp', {
      method: 'POST',
      key: pro.key,
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    return { status: response.status, body: (await response.json()) as { error?: { message: string; data: object } } }
  }
  expect(await call()).toMatchObject({
    status: 403,
    body: {
      error: { data: { code: 'plan_required', requiredPlans: expect.arrayContaining(['verified', 'business']) } },
    },
  })
  expect((await operator.post(`${page}/plan`, { plan: 'verified', until: '2099-12-31' })).status).toBe(303)
  const shown = (await operator.get(page)).text
  expect(shown).toContain('December 31, 2099')
  expect(shown).toMatch(new RegExp(`Plan: verified until December 31, 2099.*${operatorEmail}`, 's'))
  const credits = (await owner.get('/console/credits')).text
  expect(credits).toMatch(/Verified.*Last day of the plan.*December 31, 2099.*Allowance renews/s)
  expect(credits).toContain('100 / 100')
  expect((await call()).status).toBe(200)

  for (const [fields, wrong] of [
    [{ plan: 'verified', until: '2001-01-01' }, 'until'],
    [{ plan: 'no such plan', until: '' }, 'plan'],
  ] as const) {
    const refused = await operator.post(`${page}/plan`, fields)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`href="#${wrong}"`)])
  }

  // As the day passes.
  await app.sql`update professionals set plan_until = '2026-01-01' where id = ${pro.id}`
  expect(await call()).toMatchObject({
    status: 403,
    body: {
      error: {
        data: { code: 'plan_required', detail: expect.stringContaining('the plan Verified ended on 2026-01-01') },
      },
    },
  })
  const ended = (await owner.get('/console/credits')).text
  expect(ended).toMatch(/None.*Verified, which ended on January 1, 2026/s)
  expect(ended).not.toContain('Allowance renews')
})
