// The questions of a service reach programs and agents that ask for a quote, and the answers reach the pro. A request without answers is as before.
import { describe, expect, test } from 'bun:test'

import { openTestApp } from '../../../support/app.ts'
import { CUSTOMER_SERVER, PRO_SERVER, agentKey, agentPro, callTool } from '../../../support/agents.ts'
import { opened } from '../../../support/fixture.ts'
import { SIZE, WATER, askAbout } from '../../../support/questions.ts'
import { eventsOf, newRfqInput, quotingPro } from '../../../support/quotes.ts'

const app = await opened(openTestApp())
const key = await app.key(['rfqs:write'])
const agent = await agentKey(app)
const [pro, otherPro] = await Promise.all([quotingPro(app), quotingPro(app, 1)])
await askAbout(app, pro.serviceId, [SIZE, WATER])

interface Created {
  rfq: { id: string; answers: unknown }
  nextSteps: string[]
}
const answers = [
  { question: ' is the water RUNNING now?', answer: 'yes' },
  { question: SIZE.question, answer: ' about 800 ' },
]
const read = [
  { question: SIZE.question, answer: 'about 800' },
  { question: WATER.question, answer: 'Yes' },
]
const ask = (changes: object) => app.send('/api/v1/rfqs', { key, json: newRfqInput(pro, changes) })
const created = async (changes: object) => {
  const response = await ask(changes)
  expect(response.status).toBe(201)
  return (await response.json()) as Created
}
const lead = async (id: string) => {
  const response = await app.send(`/api/v1/pro/leads/${id}`, { key: pro.key })
  return ((await response.json()) as { rfq: { answers: unknown } }).rfq
}

describe('the answers of a request', () => {
  test('are kept with each question as it was asked, for the pro, the customer and the event', async () => {
    const { rfq } = await created({ answers })
    expect(rfq.answers).toEqual(read)
    expect((await lead(rfq.id)).answers).toEqual(read)
    const own = await app.send(`/api/v1/rfqs/${rfq.id}`, { key })
    expect(await own.json()).toMatchObject({ rfq: { answers: read } })
    expect(await eventsOf(app.deps, rfq.id)).toMatchObject([{ data: { object: { answers: read } } }])
    await app.sql`update services set questions = '[]' where id = ${pro.serviceId}`
    expect((await lead(rfq.id)).answers).toEqual(read)
    await askAbout(app, pro.serviceId, [SIZE, WATER])
  })

  test('may be left out, also the required ones: the answer says what is open, what the form insists on first', async () => {
    for (const none of [{}, { answers: null }, { answers: [] }, { answers: [{ question: '?', answer: '' }] }]) {
      const { rfq, nextSteps } = await created(none)
      expect([none, rfq.answers]).toEqual([none, []])
      expect(nextSteps.at(-1)).toBe(`The pro may ask the customer: ${SIZE.question} ${WATER.question}`)
    }
    const whole = await created({ answers })
    expect(whole.nextSteps.join()).not.toContain('may ask')
    const unlisted = await created({ serviceId: null })
    expect(unlisted.nextSteps.join()).not.toContain('may ask')
  })

  test.each([
    [
      'a question that is not asked',
      [{ question: 'Which color?', answer: 'Red' }],
      'answers.0.question',
      'must be one of: How',
    ],
    ['another choice', [{ question: WATER.question, answer: 'maybe' }], 'answers.0.answer', 'must be one of: Yes, No'],
    ['a second answer', [...answers, answers[0]], 'answers.2.question', 'is answered twice'],
    ['a member of its own', [{ ...answers[0], by: 'me' }], 'answers.0.by', ''],
    ['too many', Array.from({ length: 21 }, () => answers[0]), 'answers', ''],
  ])('are refused for %s', async (_, wrong, path, message) => {
    const response = await ask({ answers: wrong })
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] }
    expect([response.status, errors[0]?.path]).toEqual([400, `body.${path}`])
    expect(errors[0]?.message).toContain(message)
  })

  test('are refused without a service that asks', async () => {
    for (const serviceId of [null, undefined])
      expect(await (await ask({ serviceId, answers })).json()).toMatchObject({
        errors: [{ path: 'body.answers.0.question', message: expect.stringContaining('leave out the answers') }, {}],
      })
  })

  test('are in the message to the pro', async () => {
    const { rfq } = await created({ answers })
    await app.sql`select plan_messages(array(select id from outbox_events where aggregate_id = ${rfq.id}), now())`
    const [planned] = await app.sql<{ data: object }[]>`
      select data from messages where kind = 'new-request' and data #>> '{request,id}' = ${rfq.id}`
    expect(planned?.data).toMatchObject({ request: { answers: read } })
  })
})

test('GET /services has the questions of each service', async () => {
  const { services } = (await (await app.send('/api/v1/services')).json()) as {
    services: { id: string; questions: unknown }[]
  }
  expect(services.find(({ id }) => id === pro.serviceId)?.questions).toEqual([SIZE, WATER])
  expect(services.find(({ id }) => id !== pro.serviceId)?.questions).toEqual([])
})

describe('an agent', () => {
  const call = (name: string, args: object) => callTool(app, CUSTOMER_SERVER, agent, name, args)
  const brief = [{ question: SIZE.question }, { question: WATER.question, choices: ['Yes', 'No'] }]
  const request = (more: object) =>
    call('request_quote', { ...newRfqInput(pro), idempotencyKey: crypto.randomUUID(), ...more })

  test('learns the questions with the service, and with the pro for it', async () => {
    const [{ name } = { name: '' }] = await app.sql<
      { name: string }[]
    >`select name from services where id = ${pro.serviceId}`
    const listed = await call('list_services', { q: name })
    const { services } = listed.structured as { services: { id: string }[] }
    expect(services.find(({ id }) => id === pro.serviceId)).toMatchObject({ questions: brief })
    const { professionalId, serviceId } = pro
    expect((await call('get_pro', { professionalId, serviceId })).structured).toMatchObject({
      pro: { services: [{ id: serviceId, questions: brief }] },
    })
  })

  test('passes answers on, and is told what is still open', async () => {
    const asked = await request({ answers: [answers[0]] })
    expect(asked.structured).toMatchObject({ rfq: { answers: [read[1]] }, openQuestions: [SIZE.question] })
    expect(asked.texts[1]).toContain(`Still open, and the pro may ask the person: ${SIZE.question}`)
    const whole = await request({ answers })
    expect(whole.structured).toMatchObject({ openQuestions: [] })
    expect(whole.texts[1]).not.toContain('Still open')
  })

  test('is told the answers to choose from', async () => {
    const { problem } = await request({ answers: [{ question: WATER.question, answer: 'a little' }] })
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ message: 'must be one of: Yes, No' }] })
  })

  test('of the pro reads question and answer', async () => {
    const owner = await agentPro(app)
    const [offer] = await app.sql<{ serviceId: string }[]>`
      select service_id from professional_services where professional_id = ${owner.id} limit 1`
    await askAbout(app, offer?.serviceId ?? '', [SIZE])
    const given = { professionalId: owner.id, serviceId: offer?.serviceId ?? '', answers: [answers[1]] }
    const { rfq } = await created(given)
    const { structured } = await callTool(app, PRO_SERVER, owner.key, 'get_lead', { leadId: rfq.id })
    expect(structured).toMatchObject({ lead: { answers: [read[0]] } })
  })
})

test('another pro does not see the answers', async () => {
  const { rfq } = await created({ answers })
  const response = await app.send(`/api/v1/pro/leads/${rfq.id}`, { key: otherPro.key })
  expect([response.status, await response.text()]).toEqual([404, expect.not.stringContaining('800')])
})
