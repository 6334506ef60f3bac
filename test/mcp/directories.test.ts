// What directories of agent tools and the models behind them ask of tools/list: titles, explicit annotations, few tokens.
import { describe, expect, test } from 'bun:test'

import { countTokens } from 'gpt-tokenizer'

import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, agentKey, agentPro, callTool, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

interface Listed {
  name: string
  title: string
  description: string
  annotations: Record<string, boolean>
}

const SERVERS = {
  customer: { path: CUSTOMER_SERVER, maxTokens: 4000 },
  client: { path: CUSTOMER_SERVER, maxTokens: 4000 },
  pro: { path: PRO_SERVER, maxTokens: 6000 },
  everybody: { path: PUBLIC_SERVER, maxTokens: 2500 },
} as const

/** What a person must agree to before an assistant does it. */
const DESTRUCTIVE = new Set(['cancel_booking', 'reschedule_booking', 'confirm_action'])
/** Other people are notified, or what was written becomes public. */
const NOTIFYING = new Set(
  'book_appointment request_quote cancel_booking reschedule_booking submit_review confirm_action'.split(' '),
)

const app = await opened(openTestApp())
const keys: Record<string, string> = {}
keys['customer'] = await agentKey(app, ['mcp:read', 'mcp:write', 'packages:read', 'packages:book'])
keys['client'] = await app.key(['mcp:read', 'mcp:write', 'packages:read', 'packages:book'], await app.client())
keys['pro'] = (await agentPro(app)).key

describe.each(['customer', 'client', 'pro', 'everybody'] as const)('the server for a %s', (name) => {
  const { path, maxTokens } = SERVERS[name]
  const list = async () => {
    const { reply } = await rpc(app, path, keys[name] ?? '', 'tools/list')
    return reply.result as { tools: Listed[] }
  }

  test('gives each tool a title, a description and all four hints', async () => {
    const { tools } = await list()
    expect(tools.length).toBeGreaterThan(name === 'everybody' ? 3 : 10)
    for (const { name, title, description, annotations } of tools) {
      const reads = /^(search|query|list|get|view|compare)_/.test(name)
      expect([name, title.length > 3, description.length > 20]).toEqual([name, true, true])
      expect([name, annotations]).toEqual([
        name,
        {
          readOnlyHint: reads,
          destructiveHint: DESTRUCTIVE.has(name),
          idempotentHint: expect.any(Boolean),
          openWorldHint: NOTIFYING.has(name),
        },
      ])
      if (reads) expect([name, annotations['idempotentHint']]).toEqual([name, true])
    }
  })

  test(`lists its tools in at most ${maxTokens} tokens`, async () => {
    const result = await list()
    const tokens = countTokens(JSON.stringify(result))
    process.stdout.write(`tools/list for a ${name}: ${result.tools.length} tools, ${tokens} tokens\n`)
    expect(tokens).toBeLessThanOrEqual(maxTokens)
  })
})

test('ten search hits take at most 1,500 tokens', async () => {
  const { structured, texts } = await callTool(app, CUSTOMER_SERVER, keys['customer'] ?? '', 'search_pros', {
    q: 'plumbers in texas',
    limit: 10,
  })
  expect(structured['professionals']).toHaveLength(10)
  const tokens = countTokens(texts.join('\n'))
  process.stdout.write(`ten search hits: ${tokens} tokens\n`)
  expect(tokens).toBeLessThanOrEqual(1500)
})
