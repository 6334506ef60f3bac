// Keys and users of every kind for fuzzing, with rate limits so high that they do not hide the routes behind them.
import { readConfig } from '../../../src/config.ts'
import { type Deps, openDeps } from '../../../src/deps.ts'
import { ensureAccount } from '../../../src/auth/accounts/verbs.ts'
import { PRESETS, SCOPES, type Scope, isWidgetScope } from '../../../src/auth/scopes.ts'
import { createKey } from '../../../src/auth/keys/verbs/keys.ts'
import { createOperatorKey } from '../../../src/features/upkeep/operator-keys/verbs.ts'
import { resourcesOf, scopesOfResource } from '../../../src/auth/oauth/resources.ts'
import type { SignedIn } from '../../../src/auth/oauth/verbs/consent.ts'
import { createUser } from '../../../src/auth/users/verbs/users.ts'
import { grantedToken, signedInPro, someCustomer } from '../connected-app.ts'
import { PASSWORD } from '../visitor.ts'
import type { Credentials } from './draft.ts'
import { testRedisUrl } from '../stores.ts'
import { ctxOf } from '../../../src/ctx.ts'

const ORIGIN = 'https://shop.example'

/**
 * Creates keys of a developer, a pro, a client and an operator with all scopes, one with a single scope, a widget key, a token of each kind,
 * and a user of each role.
 */
export async function createFuzzKeys(databaseUrl: string): Promise<Credentials> {
  const deps = openDeps(readConfig({ DATABASE_URL: databaseUrl, REDIS_URL: testRedisUrl, FEATURE_PRO_MCP: 'true' }))
  const make = async (ownerEmail: string, scopes: Scope[], origin?: string) => {
    const key = { ownerEmail, name: 'fuzz', scopes, rateMultiplier: 1000, ...(origin ? { origin } : {}) }
    const created = await createKey(ctxOf(deps), key)
    spared.push(created.id)
    return created.secret
  }
  const makeOperators = async (ownerEmail: string) => {
    const key = { ownerEmail, name: 'fuzz', scopes: PRESETS.platform, rateMultiplier: 1000 }
    const created = await createOperatorKey(ctxOf(deps), key)
    spared.push(created.id)
    return created.secret
  }
  const spared: string[] = []
  const all = Object.keys(SCOPES) as Scope[]
  const server = all.filter((scope) => !isWidgetScope(scope))
  try {
    await ensureAccount(ctxOf(deps), { email: 'client.fuzz@test.example', kind: 'client' })
    const pro = await bookablePro(deps)
    const users = [
      { email: 'operator.fuzz@test.example', role: 'operator' },
      { email: 'developer.fuzz@test.example', role: 'developer', account: 'console.fuzz@test.example' },
      { email: 'pro.fuzz@test.example', role: 'pro', pro: pro.id },
    ] as const
    for (const user of users) spared.push((await createUser(ctxOf(deps), { ...user, password: PASSWORD })).id)
    const userId = spared.at(-1) ?? ''
    return {
      spared,
      users: users.map(({ email }) => email),
      keys: await Promise.all([
        make('fuzz@test.example', server),
        make(pro.email, server),
        make('client.fuzz@test.example', server),
        make('fuzz@test.example', ['pros:read']),
        makeOperators(users[0].email),
        ...tokensOf(deps, await signedInPro({ deps }, { professionalId: pro.id, userId, email: users[2].email })),
        ...tokensOf(deps, await someCustomer({ deps }, 'customer.fuzz@test.example')),
      ]),
      widgetKeys: [{ key: await make('fuzz@test.example', all.filter(isWidgetScope), ORIGIN), origin: ORIGIN }],
    }
  } finally {
    await deps.close()
  }
}

/** A token for each resource that the person can let an app use. */
const tokensOf = (deps: Deps, person: SignedIn): Promise<string>[] =>
  resourcesOf(deps.config).flatMap((resource) => {
    const scope = scopesOfResource(deps.config, resource, person.side).join(' ')
    return scope === '' ? [] : [grantedToken(deps, { resource, person, scope })]
  })

/** A pro who can be booked at once, on the plan with all tools. */
async function bookablePro({ write }: Deps): Promise<{ id: string; email: string }> {
  const [pro] = await write.run<{ id: string; email: string }>(
    'bookablePro',
    (sql) => sql`
      update professionals p set plan = 'business' from accounts a
      where a.id = p.account_id and p.id = (
        select id from professionals where active and instant_booking_enabled order by id limit 1)
      returning p.id, a.email`,
  )
  if (!pro) throw new Error('The seed has no pro who can be booked at once.')
  return pro
}
