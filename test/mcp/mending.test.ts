// Errors of the agent servers let a model correct its call: the nearest right value, the tool that gives it, the next step.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, PRO_SERVER, agentKey, agentPro, callTool, rpc } from '../support/agents.ts'
import { findBookableSlot, openTestApp } from '../support/app.ts'
import { ERRORS, type ErrorCode } from '../../src/errors/app-error.ts'
import { customerServer } from '../../src/mcp/customer/definition.ts'
import { proServer } from '../../src/mcp/pro/definition.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp())
const UNKNOWN = '0190a000-0000-7000-8000-000000000000'
const key = await agentKey(app)
const proKey = (await agentPro(app)).key
const slot = await findBookableSlot(app)

const servers = () => [[CUSTOMER_SERVER, key] as const, [PRO_SERVER, proKey] as const]
const ask = (name: string, args: object) => callTool(app, CUSTOMER_SERVER, key, name, args)

describe('a tool', () => {
  test('names the service and the pro that a name in place of an id stands for', async () => {
    const [service] = await app.deps.read.run<{ id: string }>(
      'serviceNamed',
      (sql) => sql`select id from services where slug = 'drain-cleaning'`,
    )
    const [pro] = await app.deps.read.run<{ slug: string }>(
      'slugOfPro',
      (sql) => sql`select slug from professionals where id = ${slot.professionalId}`,
    )
    const { problem } = await ask('query_availability', {
      professionalId: pro?.slug,
      serviceId: 'drain cleanings please',
    })
    const messages = Object.fromEntries((problem?.errors ?? []).map(({ path, message }) => [path, message]))
    expect(messages['serviceId']).toContain(`did you mean ${service?.id}`)
    expect(messages['professionalId']).toContain(`did you mean ${slot.professionalId}`)
  })

  test('lists what the pro offers when the service is another one', async () => {
    const { professionalId, serviceId } = slot
    const { problem, texts } = await ask('query_availability', { professionalId, serviceId: UNKNOWN })
    expect([problem?.code, texts[0]]).toEqual(['service_not_found', expect.stringContaining(serviceId)])
    expect(problem?.['offered']).toContainEqual({ id: serviceId, name: expect.any(String) })
    expect(texts[0]).toContain('search_pros')
  })

  test('says that a pro does not exist instead of showing no reviews', async () => {
    const { problem, texts } = await ask('get_reviews', { professionalId: UNKNOWN })
    expect([problem?.code, texts[0]]).toEqual(['professional_not_found', expect.stringContaining('search_pros')])
  })

  test('tells a pro without tasks where to buy some', async () => {
    const pro = await agentPro(app, { plan: 'verified', skip: 1 })
    await app.deps.write.run(
      'useUpTasks',
      (sql) => sql`update professionals set plan = 'verified' where id = ${pro.id}`,
    )
    const { reserveTask, settleTask } = await import('../../src/features/agents/metering/verbs.ts')
    for (let index = 0; index < 100; index++) {
      const taskId = app.deps.ids.uuid()
      await reserveTask(ctxOf(app.deps), { taskId, kind: 'run_agent', professionalId: pro.id })
      await settleTask(ctxOf(app.deps), { professionalId: pro.id, taskId })
    }
    const { problem, texts } = await callTool(app, PRO_SERVER, pro.key, 'list_leads')
    expect(problem).toMatchObject({ buyUrl: `${app.deps.config.baseUrl}/console/credits` })
    expect(texts[0]).toContain('buyUrl')
  })
})

describe('a remedy', () => {
  const servers = { customer: customerServer, pro: proServer }

  test.each(['customer', 'pro'] as const)('of the %s server names its own tools only', (name) => {
    const tools = new Set(servers[name].tools.map((tool) => tool.name))
    for (const text of Object.values(servers[name].remedies))
      for (const [word] of text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g))
        expect([text, tools.has(word)]).toEqual([text, true])
  })

  /** Errors of what has no tool: the team, calendars, webhooks, replies to reviews, files. */
  const ELSEWHERE = new Set(
    ['review', 'member', 'webhook', 'delivery', 'file']
      .map((noun) => `${noun}_not_found`)
      .concat('calendar_exists', 'too_many_calendars'),
  )
  test.each(['customer', 'pro'] as const)('of the %s server names no path of the API', (name) => {
    const other = name === 'customer' ? proServer : customerServer
    const withPaths = (Object.keys(ERRORS) as ErrorCode[]).filter((code) =>
      /`(GET|POST|PATCH|PUT|DELETE) /.test(servers[name].remedies[code] ?? ERRORS[code].remedy),
    )
    expect(withPaths.filter((code) => !ELSEWHERE.has(code) && !(code in other.remedies))).toEqual([])
  })
})

describe('the protocol', () => {
  test('names the parameters that an initialize without any lacks', async () => {
    for (const [server, key] of servers()) {
      const { status, reply } = await rpc(app, server, key, 'initialize')
      expect([status, reply.error?.code, reply.error?.message]).toEqual([
        400,
        -32_602,
        expect.stringContaining('params.protocolVersion is required'),
      ])
    }
  })

  test.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
    'refuses a cursor that %s did not give',
    async (method) => {
      for (const [server, key] of servers()) {
        const { reply } = await rpc(app, server, key, method, { cursor: 'page-2' })
        expect([reply.error?.code, reply.error?.message]).toEqual([-32_602, expect.stringContaining('params.cursor')])
      }
    },
  )

  test.each(['12345678901234567890', '9007199254740993', '1e400', '1.10000000000000000001', '-0.5', '7', '"7"'])(
    'answers the id %s as it came',
    async (id) => {
      for (const [server, key] of servers())
        for (const method of ['ping', 'no/such', 'tools/list']) {
          const body = `{"jsonrpc": "2.0", "id": ${id}, "method": "${method}"}`
          const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
          const response = await app.send(server, { method: 'POST', headers, body })
          expect(await response.text()).toContain(`"id":${id}`)
        }
    },
  )
})
