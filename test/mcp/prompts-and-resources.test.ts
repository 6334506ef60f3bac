// Prompts name tools that exist, and resources show what the tools of the same key show.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, PRO_SERVER, agentKey, listedTools, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { createToolFixture } from '../support/tool-fixture.ts'

const app = await opened(openTestApp())
const fixture = await createToolFixture(app)

const serverOf = (name: 'customer' | 'pro') =>
  name === 'customer' ? ([CUSTOMER_SERVER, fixture.keys.customer] as const) : ([PRO_SERVER, fixture.keys.pro] as const)

interface Prompt {
  name: string
  title: string
  arguments: { name: string; required: boolean }[]
}

async function read(server: string, key: string, uri: string) {
  const { reply } = await rpc(app, server, key, 'resources/read', { uri })
  const [content] = (reply.result?.['contents'] ?? []) as { text: string; mimeType: string }[]
  return { value: content && (JSON.parse(content.text) as Record<string, unknown>), error: reply.error }
}

describe.each([
  ['customer', ['find_and_book']],
  ['pro', ['plan_my_day', 'answer_my_leads']],
] as const)('the %s server', (name, names) => {
  test('has prompts that name its own tools and repeat what the person said', async () => {
    const [server, key] = serverOf(name)
    const tools = await listedTools(app, server, key)
    const { reply } = await rpc(app, server, key, 'prompts/list')
    const prompts = reply.result?.['prompts'] as Prompt[]
    expect(prompts.map((prompt) => prompt.name)).toEqual([...names])
    for (const { name, arguments: fields } of prompts) {
      const args = Object.fromEntries(fields.map((field) => [field.name, `my ${field.name}`]))
      const got = await rpc(app, server, key, 'prompts/get', { name, arguments: args })
      const { messages } = got.reply.result as { messages: [{ content: { text: string } }] }
      const { text } = messages[0].content
      const named = text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
      expect([name, named.length > 2, named.filter((word) => !tools.includes(word))]).toEqual([name, true, []])
      for (const value of Object.values(args)) expect(text).toContain(value)
    }
  })

  test('says which prompts and arguments there are', async () => {
    const [server, key] = serverOf(name)
    const { reply } = await rpc(app, server, key, 'prompts/get', { name: 'no_such' })
    expect([reply.error?.code, reply.error?.message]).toEqual([-32_602, expect.stringContaining(names[0])])
    const long = await rpc(app, server, key, 'prompts/get', { name: names[0], arguments: { work: 'x'.repeat(600) } })
    if (name === 'customer') expect(long.reply.error?.message).toContain('params.arguments.work')
  })

  test('lists its resources, and refuses an unknown one', async () => {
    const [server, key] = serverOf(name)
    const fixed = await rpc(app, server, key, 'resources/list')
    expect(fixed.reply.result).toMatchObject({ resources: [{ uri: 'hearth://services' }] })
    const { value } = await read(server, key, 'hearth://services')
    expect(value).toMatchObject({ services: expect.arrayContaining([expect.any(Object)]) })
    const templates = await rpc(app, server, key, 'resources/templates/list')
    const { resourceTemplates } = templates.reply.result as { resourceTemplates: { uriTemplate: string }[] }
    for (const { uriTemplate } of resourceTemplates) {
      const uri = uriTemplate.replace('{id}', '0190a000-0000-7000-8000-000000000000')
      expect([uri, (await read(server, key, uri)).value]).toEqual([uri, undefined])
    }
    for (const uri of ['hearth://services/x', 'hearth://pros/../services', 'file:///etc/passwd'])
      expect([uri, (await read(server, key, uri)).error?.code]).toEqual([uri, -32_602])
  })
})

test('a pro reads their own leads and jobs as resources, and no other pro does', async () => {
  const stranger = await createToolFixture(app, 2)
  for (const uri of [`hearth://leads/${fixture.leadId}`, `hearth://jobs/${fixture.jobId}`]) {
    expect((await read(PRO_SERVER, fixture.keys.pro, uri)).value).toBeDefined()
    expect((await read(PRO_SERVER, stranger.keys.pro, uri)).error?.code).toBe(-32_602)
  }
})

test('a pro’s page is read by id or slug; a key that only writes reads nothing', async () => {
  const { professionalId } = fixture.pro
  const { value } = await read(CUSTOMER_SERVER, fixture.keys.customer, `hearth://pros/${professionalId}`)
  expect(value).toMatchObject({ id: professionalId })
  const bySlug = await read(CUSTOMER_SERVER, fixture.keys.customer, `hearth://pros/${String(value?.['slug'])}`)
  expect(bySlug.value).toMatchObject({ id: professionalId })
  const writer = await agentKey(app, ['mcp:write'])
  const refused = await read(CUSTOMER_SERVER, writer, `hearth://pros/${professionalId}`)
  expect(refused.error?.data?.code).toBe('insufficient_scope')
  const { reply } = await rpc(app, CUSTOMER_SERVER, writer, 'resources/list')
  expect(reply.result).toMatchObject({ resources: [] })
})
