// Every agent tool that names something of a customer, by every role: what is the customer's is for the customer.
import { describe, expect, test } from 'bun:test'

import { proTools } from '../../src/mcp/pro/tools.ts'
import { openAbuseWorld } from '../support/abuse-world.ts'
import { CUSTOMER_SERVER, readResult } from '../support/agents.ts'
import { testRequest } from '../support/app.ts'
import { ROLES, type Role, type Subject, newSubject } from '../support/customer-acts.ts'
import { keyOf, openRoles } from '../support/customer-roles.ts'
import {
  LINKS,
  type NamingField,
  OTHER_TOOLS,
  TOOL_ACTS,
  mayCall,
  namedActs,
  namingValue,
  toolsWithoutActs,
} from '../support/customer-tool-acts.ts'
import { opened } from '../support/fixture.ts'
import { checksum } from '../support/isolation-tenants.ts'

const world = await opened(openAbuseWorld())
const roles = await openRoles(world)

/** `done`, or why not: the code of the tool's error, or the status of the response. */
async function attempt(act: (typeof namedActs)[number], role: Role, subject: Subject): Promise<string> {
  const args = { ...TOOL_ACTS[act.name]?.args?.(subject), [act.field]: namingValue(world, act.field, subject) }
  const headers = role === 'app of the customer' ? roles.agentOfCustomer : roles.headersOf[role]
  const params = { name: act.tool.name, arguments: args }
  const response = await world.app.app.handle(
    testRequest(world.app.deps.config.baseUrl, CUSTOMER_SERVER, {
      method: 'POST',
      headers,
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    }),
  )
  const { result } = (await response.json()) as { result?: Record<string, unknown> }
  if (!result) return String(response.status)
  const { isError, problem } = readResult(result)
  return isError ? String(problem?.code) : 'done'
}

/** A refusal: without a key, by the pro, or by an id that says nothing about the caller. */
const REFUSALS = new Set(['401', '403', 'own_business', 'validation_failed', 'booking_not_found', 'rfq_not_found'])

describe('a tool of the customer', () => {
  test('has a row for each field by which it names something, or names nothing', () => {
    expect(namedActs.map(({ name }) => name).sort()).toEqual(Object.keys(TOOL_ACTS).sort())
    expect(toolsWithoutActs).toEqual(OTHER_TOOLS)
  })

  test('has no twin among the tools of pros, which take no link of a customer', () => {
    const taking = proTools.filter(({ input }) => LINKS.some((field: NamingField) => field in input.properties))
    expect(taking.map(({ name }) => name)).toEqual([])
  })

  test.each(namedActs.map((act) => [act.name, act] as const))(
    '%s is for the customer',
    async (name, act) => {
      const kind = TOOL_ACTS[name]?.of
      if (!kind) throw new Error('The row is missing.')
      const shared = await newSubject(world, kind)
      const byPro = await newSubject(world, kind, keyOf(roles, 'pro’s own key that booked'))
      const before = await checksum(world.sql)
      const accepted: string[] = []
      for (const role of ROLES.filter((one) => !mayCall(act.field, one))) {
        const outcome = await attempt(act, role, role === 'pro’s own key that booked' ? byPro : shared)
        if (!REFUSALS.has(outcome)) accepted.push(`${role} gets ${outcome}`)
      }
      expect(accepted).toEqual([])
      expect(await checksum(world.sql)).toEqual(before)
      const kept: string[] = []
      for (const role of ROLES.filter((one) => mayCall(act.field, one))) {
        const outcome = await attempt(act, role, await newSubject(world, kind))
        if (outcome !== 'done') kept.push(`${role} gets ${outcome}`)
      }
      expect(kept).toEqual([])
    },
    60_000,
  )
})
