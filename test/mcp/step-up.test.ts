// An app that was granted less than a tool needs sees the tool and what it needs, asks its person for the scope that the refusal
// names, and calls it. The list of a key has only what the key may call.
import { expect, test } from 'bun:test'

import { CUSTOMER_SERVER, type RpcReply, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { connect, someCustomer } from '../support/connected-app.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp())
const person = await someCustomer(app, 'step-up@test.example')
const connectWith = async (scope: string) =>
  (await connect(app, { resource: 'customer-agent', person, scope })).access_token

interface Listed {
  name: string
  inputSchema: { properties: Record<string, unknown> }
  _meta?: { securitySchemes: { type: string; scopes: string[] }[] }
}
const listOf = async (key: string) => {
  const { reply } = await rpc(app, CUSTOMER_SERVER, key, 'tools/list')
  return (reply.result?.['tools'] ?? []) as Listed[]
}
const call = (key: string, name: string, args: object) =>
  rpc(app, CUSTOMER_SERVER, key, 'tools/call', { name, arguments: args })
const scopeIn = (challenge: string | null) => /scope="([^"]*)"/.exec(challenge ?? '')?.[1] ?? ''
const codeOf = ({ error }: RpcReply) => error?.data?.code

test('an app sees every tool with the scopes that it needs, whatever it was granted', async () => {
  const all = await listOf(await connectWith('mcp:read mcp:write packages:read packages:book'))
  const some = await listOf(await connectWith('mcp:read'))
  expect(some).toEqual(all)
  const needs = Object.fromEntries(some.map(({ name, _meta: meta }) => [name, meta?.securitySchemes]))
  expect(needs).toMatchObject({
    search_pros: [{ type: 'oauth2', scopes: ['mcp:read'] }],
    request_quote: [{ type: 'oauth2', scopes: ['mcp:write'] }],
    list_packages: [{ type: 'oauth2', scopes: ['packages:read'] }],
  })
})

test('an app asks for the scope of the refusal, its person agrees, and the call succeeds', async () => {
  let scope = 'mcp:read'
  const args = {
    professionalId: '0192a6a0-0000-7000-8000-000000000000',
    serviceId: '0192a6a0-0000-7000-8000-000000000000',
  }
  const steps = [
    ['list_packages', {}, 'mcp:read packages:read'],
    [
      'book_appointment',
      { ...args, startDateTime: 'soon', guestName: 'Customer', packageId: args.serviceId },
      'mcp:read mcp:write packages:read',
    ],
    [
      'book_appointment',
      { ...args, startDateTime: 'soon', guestName: 'Customer', packageId: args.serviceId },
      'mcp:read mcp:write packages:read packages:book',
    ],
  ] as const
  for (const [name, input, wanted] of steps) {
    const { status, headers, reply } = await call(await connectWith(scope), name, input)
    const challenge = headers.get('www-authenticate')
    expect([name, status, codeOf(reply), challenge]).toEqual([
      name,
      403,
      'insufficient_scope',
      expect.stringContaining('error="insufficient_scope"'),
    ])
    expect(scopeIn(challenge)).toBe(wanted)
    scope = wanted
  }
  const token = await connectWith(scope)
  expect((await call(token, 'list_packages', {})).reply.result).toMatchObject({
    structuredContent: { packages: expect.any(Array) },
  })
  const { reply } = await call(token, steps[2][0], steps[2][1])
  expect(JSON.stringify(reply.result)).toContain('startDateTime')
})

test('a key sees what it may call, without scopes beside it', async () => {
  const reader = await listOf(await app.key(['mcp:read']))
  expect(reader.map(({ name }) => name)).not.toContain('request_quote')
  expect(reader.filter(({ _meta: meta }) => meta !== undefined)).toEqual([])
  const times = reader.find(({ name }) => name === 'query_availability')
  expect(Object.keys(times?.inputSchema.properties ?? {})).not.toContain('packageId')
})
