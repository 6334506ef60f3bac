// tools/list matches the table of the specification (§4.7) for every preset, owner and combination of flags, and unlisted
// tools cannot be called.
import { describe, expect, test } from 'bun:test'

import { createApp } from '../../src/app.ts'
import { FEATURES, type Feature } from '../../src/config.ts'
import { PRESETS, type Preset, type Scope, isWidgetScope } from '../../src/auth/scopes.ts'
import { CUSTOMER_SERVER, PRO_SERVER, type RpcReply, agentPro } from '../support/agents.ts'
import { WIDGET_ORIGIN, openTestApp, testRequest } from '../support/app.ts'
import { CUSTOMER_CALLS, PRO_CALLS } from '../support/tool-fixture.ts'
import { opened } from '../support/fixture.ts'

interface Rule {
  flags?: readonly Feature[]
  anyFlag?: readonly Feature[]
  scopes: readonly Scope[]
  isClients?: boolean
}

const reads: Rule = { scopes: ['mcp:read', 'widget:public'] }
const writes: Rule = { scopes: ['mcp:write', 'widget:book'] }
const packageFlags = ['FEATURE_OFFER_PACKAGES', 'FEATURE_CUSTOMER_MCP_PACKAGES'] as const
const packages: Rule = { flags: packageFlags, scopes: ['packages:read'] }
const properties: Rule = {
  flags: [...packageFlags, 'FEATURE_CLIENT_PROPERTIES'],
  scopes: ['mcp:read'],
  isClients: true,
}

const CUSTOMER: Record<string, Rule> = {
  search_pros: reads,
  list_services: reads,
  get_pro: reads,
  query_availability: reads,
  book_appointment: writes,
  get_booking: reads,
  reschedule_booking: writes,
  cancel_booking: writes,
  request_quote: writes,
  get_quote_request: reads,
  get_reviews: reads,
  submit_review: writes,
  list_packages: packages,
  get_package: packages,
  compare_packages: packages,
  list_properties: properties,
  get_property: properties,
}

const THREADS: readonly Feature[] = ['FEATURE_PRO_MCP_THREADS', 'FEATURE_PRO_AGENT_THREADS']
const THREAD_TOOLS = new Set(['create_thread', 'list_threads', 'get_thread', 'chat_on_thread'])
const EXPANDED = new Set([
  'update_public_profile',
  'update_business_entity',
  'update_site_config',
  'update_service_content',
])

const app = await opened(openTestApp())
const keys: { name: string; key: string; scopes: readonly Scope[]; isClient: boolean }[] = []
const client = await app.client()
for (const preset of Object.keys(PRESETS) as Preset[])
  for (const isClient of [false, true]) {
    const scopes = PRESETS[preset]
    keys.push({ name: preset, key: await app.key(scopes, isClient ? client : undefined), scopes, isClient })
  }
const proKey = (await agentPro(app)).key

const settings = (flags: readonly Feature[]): Set<Feature>[] =>
  Array.from({ length: 2 ** flags.length }, (_, bits) => new Set(flags.filter((_, index) => (bits >> index) & 1)))

/** The application with other flags, on the same stores. */
function withFlags(features: ReadonlySet<Feature>) {
  const deps = { ...app.deps, config: { ...app.deps.config, features } }
  const other = createApp(deps)
  return async (path: string, key: string, method: string, params?: object, origin?: string) => {
    const json = { jsonrpc: '2.0', id: 1, method, params }
    const headers: Record<string, string> = origin ? { origin } : {}
    const response = await other.handle(testRequest(app.deps.config.baseUrl, path, { key, json, headers }))
    return { status: response.status, reply: (await response.json()) as RpcReply }
  }
}

const namesOf = ({ result }: RpcReply) => ((result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name)

describe('the customer server', () => {
  const flags = ['FEATURE_OFFER_PACKAGES', 'FEATURE_CUSTOMER_MCP_PACKAGES', 'FEATURE_CLIENT_PROPERTIES'] as const

  test.each(settings(flags).map((on) => [[...on].join(' + ') || 'no flag', on] as const))(
    'lists the specified tools with %s',
    async (_, on) => {
      const ask = withFlags(on)
      for (const { name, key, scopes, isClient } of keys) {
        const origin = scopes.some(isWidgetScope) ? WIDGET_ORIGIN : undefined
        const allowed = Object.keys(CUSTOMER).filter((tool) => {
          const rule = CUSTOMER[tool] ?? reads
          const has = rule.scopes.some((scope) => scopes.includes(scope))
          return has && (rule.flags ?? []).every((flag) => on.has(flag)) && (!rule.isClients || isClient)
        })
        const { reply } = await ask(CUSTOMER_SERVER, key, 'tools/list', undefined, origin)
        expect([name, isClient, namesOf(reply)]).toEqual([name, isClient, allowed])
        for (const tool of Object.keys({ ...CUSTOMER_CALLS, ...PRO_CALLS }).filter((tool) => !allowed.includes(tool))) {
          const called = await ask(CUSTOMER_SERVER, key, 'tools/call', { name: tool, arguments: {} }, origin)
          expect([tool, called.reply.result, called.reply.error !== undefined]).toEqual([tool, undefined, true])
        }
      }
    },
  )
})

describe('the pro server', () => {
  const flags = [...THREADS, 'FEATURE_PRO_AGENT_PROFILE_DRAFTS'] as const

  test.each(settings(flags).map((on) => [[...on].join(' + ') || 'no flag', on] as const))(
    'lists the specified tools with %s',
    async (_, on) => {
      const ask = withFlags(new Set<Feature>([...on, 'FEATURE_PRO_MCP']))
      const allowed = Object.keys(PRO_CALLS).filter(
        (tool) =>
          (!THREAD_TOOLS.has(tool) || THREADS.some((flag) => on.has(flag))) &&
          (!EXPANDED.has(tool) || on.has('FEATURE_PRO_AGENT_PROFILE_DRAFTS')),
      )
      const { reply } = await ask(PRO_SERVER, proKey, 'tools/list')
      expect(namesOf(reply).toSorted()).toEqual(allowed.toSorted())
      for (const tool of Object.keys({ ...CUSTOMER_CALLS, ...PRO_CALLS }).filter((tool) => !allowed.includes(tool)))
        expect([tool, (await ask(PRO_SERVER, proKey, 'tools/call', { name: tool })).reply.error?.data?.code]).toEqual([
          tool,
          'unknown_tool',
        ])
    },
  )

  test('accepts only a pro’s key with both scopes', async () => {
    const ask = withFlags(new Set(FEATURES))
    for (const { key, scopes } of keys) {
      const origin = scopes.some(isWidgetScope) ? WIDGET_ORIGIN : undefined
      expect([401, 403]).toContain((await ask(PRO_SERVER, key, 'tools/list', undefined, origin)).status)
    }
  })
})
