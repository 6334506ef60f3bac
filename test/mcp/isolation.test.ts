// No tool shows or changes another account's data: calls every tool of both servers with the ids of another pro, customer or
// client. A new tool fails here until a rule names the owner of its ids.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'bun:test'

import { publicServer } from '../../src/mcp/customer/public.ts'
import { customerTools } from '../../src/mcp/customer/tools.ts'
import { proTools } from '../../src/mcp/pro/tools.ts'
import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, type ToolReply, callTool, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import {
  type OwnedIds,
  CUSTOMER_RULES,
  type OwnedName,
  PRO_RULES,
  SIGNED_IN_TOOLS,
  type ToolRule,
  ownedIdsOf,
} from '../support/tool-rules.ts'
import {
  CLIENT_TOOLS,
  CUSTOMER_CALLS,
  PRO_CALLS,
  type ToolFixture,
  createToolFixture,
} from '../support/tool-fixture.ts'
import { opened } from '../support/fixture.ts'

interface Tenant {
  world: ToolFixture
  own: OwnedIds
  /** Every id that identifies its rows. */
  owners: string[]
}

/** Tools with the same name are variants behind different flags. */
const fieldsOf = (tools: readonly { name: string; input: { properties: object } }[]) => {
  const fields = new Map<string, Set<string>>()
  for (const { name, input } of tools)
    fields.set(name, new Set([...(fields.get(name) ?? []), ...Object.keys(input.properties)]))
  return fields
}

interface Server {
  path: string
  fields: Map<string, Set<string>>
  rules: Readonly<Record<string, ToolRule>>
  calls: typeof PRO_CALLS
}

const SERVERS: Server[] = [
  { path: PRO_SERVER, fields: fieldsOf(proTools), rules: PRO_RULES, calls: PRO_CALLS },
  { path: CUSTOMER_SERVER, fields: fieldsOf(customerTools), rules: CUSTOMER_RULES, calls: CUSTOMER_CALLS },
]

/** Field names that hold the id of an owned record. */
const ID_FIELD = /^(id|ids|email|code|token|secret|(?!zip).*(Id|Ids|Email|Code|Token|Secret))$/

const app = await opened(openTestApp())
const sql = app.sql
/** All tables with an owner column, except records of requests and of the last use of keys. */
const tables = await sql<{ table: string; columns: string[] }[]>`
    select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' and column_name in ('professional_id', 'account_id')
      and table_name not in ('idempotency_records', 'api_keys', 'key_usage')
    group by table_name order by table_name`
const mine = await createTenant(0)
let theirs = await createTenant(1)
for (let n = 2; !(await isApart(theirs)); n++) theirs = await createTenant(n)

async function createTenant(n: number): Promise<Tenant> {
  const world = await createToolFixture(app, n)
  const [client] = await sql<{ id: string }[]>`select account_id as id from properties where id = ${world.propertyId}`
  const { professionalId, accountId } = world.pro
  return { world, own: await ownedIdsOf(world), owners: [professionalId, accountId, client?.id ?? ''] }
}

/** Checks that neither pro offers the other's service. */
async function isApart({ world: { pro } }: Tenant): Promise<boolean> {
  const shared = await sql`
    select from professional_services where (professional_id, service_id) in (
      (${pro.professionalId}, ${mine.own.offer}), (${mine.world.pro.professionalId}, ${pro.serviceId}))`
  return shared.length === 0
}

test('every tool has a rule for each id of its input, and no rule is unused', () => {
  const faults = SERVERS.flatMap(({ fields, rules, path }) => {
    const missing = [...fields].flatMap(([name, inputs]) => {
      const rule = rules[name]
      if (!rule) return [`${name} needs a rule in test/support/tool-rules.ts`]
      const ids = [...inputs].filter((input) => ID_FIELD.test(input))
      return [
        ...ids.filter((id) => !(id in (rule.ids ?? {}))).map((id) => `the rule of ${name} does not say whose ${id} is`),
        ...Object.keys(rule.ids ?? {})
          .filter((id) => !ids.includes(id))
          .map((id) => `the rule of ${name} names ${id}, which the tool does not take`),
      ]
    })
    const stale = Object.keys(rules).filter((name) => !fields.has(name))
    return [...missing, ...stale.map((name) => `there is a rule for ${name}, but no such tool at ${path}`)]
  })
  expect(faults).toEqual([])
})

/** The tenant's key for the tool. */
const keyOf = ({ world: { keys } }: Tenant, { path }: Server, name: string) =>
  path === PRO_SERVER
    ? keys.pro
    : CLIENT_TOOLS.has(name)
      ? keys.client
      : SIGNED_IN_TOOLS.has(name)
        ? keys.signedIn
        : keys.customer

/** Valid arguments of the tenant, with the ids `named` in place of its own. */
async function argsOf({ world }: Tenant, { rules, calls }: Server, name: string, named: Record<string, string> = {}) {
  const { oneOf = [] } = rules[name] ?? {}
  const args: [string, unknown][] = Object.entries((await calls[name]?.(world)) ?? {})
  const isInstead = Object.keys(named).some((id) => oneOf.includes(id))
  return { ...Object.fromEntries(args.filter(([id]) => !(isInstead && oneOf.includes(id)))), ...named }
}

const call = (tenant: Tenant, server: Server, name: string, args: object) =>
  callTool(app, server.path, keyOf(tenant, server, name), name, args)

/** A checksum of the tenant's rows by table. */
async function rowsOf({ owners }: Tenant): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const { table, columns } of tables) {
    const ownedBy = columns.map((column) => sql`${sql(column)} = any(${owners}::uuid[])`)
    const [row] = await sql<{ sum: string | null }[]>`
      select md5(string_agg(t::text, ',' order by t::text)) as sum from ${sql(table)} t
      where ${ownedBy.reduce((all, one) => sql`${all} or ${one}`)}`
    sums[table] = row?.sum ?? ''
  }
  return sums
}

/** Values that a response to another account must not contain: the owner's data, except ids that the call named. */
const leaks = ({ texts, structured }: ToolReply, { own }: Tenant, named: Record<string, string> = {}) =>
  (Object.entries(own) as [OwnedName, string][])
    // The catalog of services is public.
    .filter(([kind, value]) => kind !== 'offer' && !Object.values(named).includes(value))
    .filter(([, value]) => `${texts.join('\n')} ${JSON.stringify(structured)}`.includes(value))
    .map(([kind]) => kind)

const ownedIds = ({ ids = {} }: ToolRule) =>
  Object.entries(ids).flatMap(([id, kind]) => (kind === 'public' || kind === 'new' ? [] : [[id, kind] as const]))

const all = SERVERS.flatMap((server) =>
  Object.entries(server.rules).map(([name, rule]) => [name, rule, server] as const),
)
const guarded = all.filter(([, rule]) => ownedIds(rule).length > 0)

test.each(guarded)('%s finds and changes nothing with another account’s ids', async (name, rule, server) => {
  for (const [stranger, owner] of [
    [theirs, mine],
    [mine, theirs],
  ] as const)
    for (const [id, kind] of ownedIds(rule)) {
      const named = { [id]: owner.own[kind] }
      const args = await argsOf(stranger, server, name, named)
      const before = await rowsOf(owner)
      const reply = await call(stranger, server, name, args)
      if (!rule.isList) expect([id, reply.isError, reply.problem?.['status']]).toEqual([id, true, 404])
      expect([id, leaks(reply, owner, named)]).toEqual([id, []])
      expect(await rowsOf(owner)).toEqual(before)
    }
})

test.each(all)(
  '%s shows each caller only their own data, also under another account’s idempotency key',
  async (name, _, server) => {
    const idempotencyKey = randomUUID()
    const isWrite = server.fields.get(name)?.has('idempotencyKey') ?? false
    for (const [tenant, other] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      const args = { ...(await argsOf(tenant, server, name)), ...(isWrite ? { idempotencyKey } : {}) }
      const before = await rowsOf(other)
      const reply = await call(tenant, server, name, args)
      expect([reply.isError, reply.texts[0]]).toEqual([false, reply.texts[0]])
      expect(leaks(reply, other)).toEqual([])
      expect(await rowsOf(other)).toEqual(before)
    }
  },
)

test.each(guarded)('%s finds each record for its owner', async (name, rule, server) => {
  for (const [id, kind] of ownedIds(rule)) {
    const reply = await call(mine, server, name, await argsOf(mine, server, name, { [id]: mine.own[kind] }))
    // These report the state of the record, so the record was found.
    const tellsState = reply.problem?.['status'] === 409 || reply.problem?.code === 'review_too_early'
    expect([id, reply.isError && !tellsState, reply.texts[0]]).toEqual([id, false, reply.texts[0]])
  }
})

describe('without a key', () => {
  test('no tool takes the id of something owned', () => {
    const owned = publicServer.tools.filter(({ name }) => ownedIds(CUSTOMER_RULES[name] ?? {}).length > 0)
    expect(owned.map(({ name }) => name)).toEqual([])
  })

  test.each(publicServer.tools.map(({ name }) => name))('%s shows and changes nothing that is owned', async (name) => {
    const before = await Promise.all([mine, theirs].map(rowsOf))
    const reply = await callTool(app, PUBLIC_SERVER, '', name, (await CUSTOMER_CALLS[name]?.(mine.world)) ?? {})
    expect([reply.isError, reply.texts[0]]).toEqual([false, reply.texts[0]])
    expect([mine, theirs].flatMap((owner) => leaks(reply, owner))).toEqual([])
    expect(await Promise.all([mine, theirs].map(rowsOf))).toEqual(before)
  })
})

describe('a key of the wrong kind', () => {
  const foreign = all.filter(([name, , { path }]) => path === PRO_SERVER || CLIENT_TOOLS.has(name))

  test.each(foreign)('cannot call %s', async (name, _, server) => {
    const { customer, client, pro } = mine.world.keys
    const wrong = server.path === PRO_SERVER ? [customer, client] : [customer, pro]
    const args = await argsOf(mine, server, name)
    for (const key of wrong) {
      const { status, reply } = await rpc(app, server.path, key, 'tools/call', { name, arguments: args })
      expect([reply.result, [401, 403].includes(status) || reply.error?.data?.['status'] === 401]).toEqual([
        undefined,
        true,
      ])
    }
  })
})
