// What each role sends: its key, its cookies or nothing but a link.
import { createKeyInMode } from '../../src/features/upkeep/test-mode/verbs.ts'
import { SCOPES, type Scope, isPlatformScope, isWidgetScope } from '../../src/auth/scopes.ts'
import { type AbuseWorld, BUSINESS_USER } from './abuse-world.ts'
import { connect, someCustomer } from './connected-app.ts'
import type { Role } from './customer-acts.ts'
import { signedInCustomer } from './customers.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface RoleRequests {
  readonly headersOf: Readonly<Record<Role, Record<string, string>>>
  /** The token of the signed-in customer's forms. */
  readonly csrf: string
  /** The headers of an app that the customer connected to the agent server. */
  readonly agentOfCustomer: Record<string, string>
}

/** The secret in the key's header; undefined for a role without a key. */
export const keyOf = ({ headersOf }: RoleRequests, role: Role): string | undefined =>
  headersOf[role]['authorization']?.slice('Bearer '.length)

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const cookies = (from: ReadonlyMap<string, string>) =>
  Array.from(from, ([name, value]) => `${name}=${value}`).join('; ')

/** Makes a key or a login for each role. Keys have all scopes but those of widgets and of operators, which stand alone. */
export async function openRoles(world: AbuseWorld): Promise<RoleRequests> {
  const { app, victim, proVisitor } = world
  const all = (Object.keys(SCOPES) as Scope[]).filter((scope) => !isWidgetScope(scope) && !isPlatformScope(scope))
  const test = { ownerEmail: victim.email, scopes: all, name: 'test', mode: 'test', rateMultiplier: 10_000 } as const
  const customer = await signedInCustomer(app, 'home@example.com')
  const csrf = await customer.csrfToken('/my')
  const person = await someCustomer(app, 'home@example.com')
  const tokens = await connect(app, { resource: 'rest', person, scope: 'bookings:write reviews:write' })
  const agent = await connect(app, { resource: 'customer-agent', person, scope: 'mcp:read mcp:write' })
  return {
    csrf,
    agentOfCustomer: bearer(agent.access_token),
    headersOf: {
      stranger: {},
      'pro’s key': bearer(world.proKeys[0] ?? ''),
      'pro’s own key that booked': bearer(await app.key(all, victim.email)),
      'key of the pro’s user': bearer(await app.key(all, BUSINESS_USER)),
      'pro’s test key': bearer((await createKeyInMode(ctxOf(app.deps), test)).secret),
      'pro’s session': { cookie: cookies(proVisitor.cookies) },
      // A key of the account that booked: that of the fixture has no scope for tools.
      'key that booked': bearer(await app.key(all, 'developer@test.example')),
      'another key': bearer(await app.key(all, 'another@integrator.test.example')),
      'answered link': {},
      'mailed link': {},
      'signed in': { cookie: cookies(customer.cookies) },
      'app of the customer': bearer(tokens.access_token),
    },
  }
}
