// Every request to a marketplace of Canada that a link does not lead to: all routes, tools, prompts and resources, by construction.
import type { TObject, TSchema } from '@sinclair/typebox'

import { PRESETS } from '../../src/auth/scopes.ts'
import { ERRORS } from '../../src/errors/app-error.ts'
import { FORM_KEY } from '../../src/http/guard.ts'
import { MESSAGE_KINDS } from '../../src/features/messages/messages/kind-facts.ts'
import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, rpc } from './agents.ts'
import { type TestApp, testRequest } from './app.ts'
import { type Route, accessOf, hasBody, isPage, nameOf, routes } from './app-routes.ts'
import { RULES } from './isolation-rules.ts'
import { OWNERS, type OwnedKind, type Tenant } from './isolation-tenants.ts'
import type { Visitor } from './visitor.ts'

/** A text and where it was read. */
export type Said = readonly [where: string, text: string]

const PICTURES = /share\.jpg$|\.(png|woff2|ico)$|favicon/
/** Other people's programs. */
const LIBRARIES = /swagger-ui|htmx|uplot|\/ops\/queues/
/** Ends the session of the visitor. */
const ENDS = /log-?out$|sign-out$/

/** Parameters of which a test knows all values, and those of links that are secrets. */
const values = (secrets: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> => ({
  'GET /problems/:code': Object.keys(ERRORS),
  'GET /console/mail/templates/:kind': Object.keys(MESSAGE_KINDS),
  'GET /console/mail/templates/:kind/html': Object.keys(MESSAGE_KINDS),
  ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, [value]])),
})

/** The paths of a route, of what the tenant owns. */
function pathsOf(route: Route, { own, professionalId }: Tenant, secrets: Readonly<Record<string, string>>): string[] {
  const { ids = {} } = RULES[nameOf(route)] ?? {}
  const known = values(secrets)[nameOf(route)]
  if (known) return known.map((value) => route.path.replace(/:\w+/, value))
  const valueOf = (name: string) => {
    const source = ids[`path.${name}`] ?? 'public'
    return source in OWNERS ? own[source as OwnedKind] : professionalId
  }
  return [route.path.replace(/:(\w+)/g, (_, name: string) => valueOf(name))]
}

const schemaOf = ({ hooks }: Route): TSchema | undefined => hooks.body ?? hooks.detail?.[FORM_KEY]

/** A value of each field that is right for no place, number or day; without `all`, of the texts among them only. */
const wrongValues = (schema: TSchema | undefined, all: boolean): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(((schema as TObject | undefined)?.properties ?? {}) as Record<string, TSchema>).flatMap(
      ([name, { type, properties }]): [string, unknown][] => {
        if (properties) return [[name, wrongValues({ properties } as unknown as TSchema, all)]]
        if (type === 'integer' || type === 'number') return all ? [[name, -1]] : []
        return all || type === 'string' ? [[name, '!!']] : []
      },
    ),
  )

const wrongInputs = (schema: TSchema | undefined) => [{}, wrongValues(schema, true), wrongValues(schema, false)]

interface Walk {
  readonly app: TestApp
  readonly tenant: Tenant
  readonly operator: Visitor
  readonly operatorKey: string
  /** The values of parameters that authorize their bearer, by the name of the route. */
  readonly secrets: Readonly<Record<string, string>>
}

/** Every route as those who may use it, with nothing, with what the tenant owns, and with wrong values. */
export async function textsOfRoutes({ app, tenant, operator, operatorKey, secrets }: Walk): Promise<Said[]> {
  const said: Said[] = []
  for (const route of routes.filter(({ path }) => ![PICTURES, LIBRARIES, ENDS].some((other) => other.test(path))))
    for (const path of pathsOf(route, tenant, secrets))
      for (const fields of hasBody(route) ? wrongInputs(schemaOf(route)) : [undefined])
        for (const text of await answersTo({ app, tenant, operator, operatorKey }, { route, path, fields }))
          said.push([`${nameOf(route)} ${path}`, text])
  return said
}

async function answersTo(
  { app, tenant: { keys, visitors }, operator, operatorKey }: Omit<Walk, 'secrets'>,
  { route, path, fields }: { route: Route; path: string; fields: Record<string, unknown> | undefined },
): Promise<string[]> {
  const { method } = route
  const access = accessOf(route)
  if (isPage(route) || route.hooks.detail?.hide) {
    const roles: readonly (keyof typeof visitors | 'operator')[] = access?.session ?? ['customer']
    const people = roles.map((role) => (role === 'operator' ? operator : visitors[role]))
    const form = Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)]))
    const send = (by: Visitor) => (method === 'GET' ? by.get(path) : by.post(path, form))
    return await Promise.all(people.map(async (by) => (await send(by)).text))
  }
  const json = fields && { json: fields }
  const query = method === 'GET' ? ['', `?${new URLSearchParams(wrongQuery(route)).toString()}`] : ['']
  const roles = access?.owner ? [access.owner] : (['developer', 'customer'] as const)
  const ofKeys = { ...keys, operator: operatorKey }
  const requests = query.flatMap((search) =>
    roles.map((role) => testRequest(app.deps.config.baseUrl, path + search, { method, key: ofKeys[role], ...json })),
  )
  return await Promise.all(requests.map(async (request) => await (await app.app.handle(request)).text()))
}

const wrongQuery = ({ hooks: { query } }: Route) =>
  Object.fromEntries(Object.keys((query?.['properties'] ?? {}) as object).map((name) => [name, '!!']))

/** Every tool with nothing and with wrong values, every prompt, and every resource, with their lists. */
export async function textsOfAgentServers({ app, tenant }: Pick<Walk, 'app' | 'tenant'>): Promise<Said[]> {
  const said: Said[] = []
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const servers = [
    [PUBLIC_SERVER, ''],
    [CUSTOMER_SERVER, await app.key([...PRESETS['agent-tools']])],
    [PRO_SERVER, tenant.keys.pro],
  ] as const
  for (const [server, key] of servers) {
    const ask = async (method: string, params?: object) => {
      const { reply } = await rpc(app, server, key, method, params)
      said.push([`${server} ${method} ${JSON.stringify(params ?? {})}`, JSON.stringify(reply)])
      return (reply.result ?? {}) as Record<string, readonly Listed[]>
    }
    await ask('initialize', hello)
    const { tools = [] } = await ask('tools/list')
    for (const { name, inputSchema } of tools)
      for (const args of wrongInputs(inputSchema)) await ask('tools/call', { name, arguments: args })
    const { prompts = [] } = await ask('prompts/list')
    for (const prompt of prompts) {
      const args = prompt.arguments?.map(({ name }): [string, string] => [name, 'a leak'])
      for (const given of [{}, Object.fromEntries(args ?? [])])
        await ask('prompts/get', { name: prompt.name, arguments: given })
    }
    const [{ resources = [] }, { resourceTemplates = [] }] = [
      await ask('resources/list'),
      await ask('resources/templates/list'),
    ]
    for (const { uri } of resources) await ask('resources/read', { uri })
    for (const { uriTemplate } of resourceTemplates)
      await ask('resources/read', { uri: uriTemplate?.replace('{id}', tenant.professionalId) })
  }
  return said
}

interface Listed {
  readonly name: string
  readonly inputSchema?: TSchema
  readonly arguments?: readonly { readonly name: string }[]
  readonly uri?: string
  readonly uriTemplate?: string
}
