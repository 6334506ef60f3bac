// Keys of every kind of owner for fuzzing, with rate limits so high that they do not hide the routes behind them.
import { readConfig } from '../../../src/config.ts'
import { type Deps, openDeps } from '../../../src/deps.ts'
import { ensureAccount } from '../../../src/auth/accounts/verbs.ts'
import { SCOPES, type Scope, isWidgetScope } from '../../../src/auth/scopes.ts'
import { createKey } from '../../../src/auth/keys/verbs/keys.ts'
import type { Credentials } from './draft.ts'
import { testRedisUrl } from '../stores.ts'

const ORIGIN = 'https://shop.example'

/** Creates keys of a developer, a pro and a client with all scopes, one with a single scope, and a widget key. */
export async function createFuzzKeys(databaseUrl: string): Promise<Credentials> {
  const deps = openDeps(readConfig({ DATABASE_URL: databaseUrl, REDIS_URL: testRedisUrl }))
  const make = async (ownerEmail: string, scopes: Scope[], origin?: string) => {
    const key = { ownerEmail, name: 'fuzz', scopes, rateMultiplier: 1000, ...(origin ? { origin } : {}) }
    return (await createKey(deps, key)).secret
  }
  const all = Object.keys(SCOPES) as Scope[]
  const server = all.filter((scope) => !isWidgetScope(scope))
  try {
    await ensureAccount(deps, deps.write, 'client.fuzz@test.example', 'client')
    return {
      keys: await Promise.all([
        make('fuzz@test.example', server),
        make(await proEmail(deps), server),
        make('client.fuzz@test.example', server),
        make('fuzz@test.example', ['pros:read']),
      ]),
      widgetKeys: [{ key: await make('fuzz@test.example', all.filter(isWidgetScope), ORIGIN), origin: ORIGIN }],
    }
  } finally {
    await deps.close()
  }
}

/** The e-mail address of a pro who can be booked at once. */
async function proEmail({ read }: Deps): Promise<string> {
  const [pro] = await read.run<{ email: string }>(
    'proEmail',
    (sql) => sql`
      select a.email from professionals p join accounts a on a.id = p.account_id
      where p.active and p.instant_booking_enabled order by p.id limit 1`,
  )
  if (!pro) throw new Error('The seed has no pro who can be booked at once.')
  return pro.email
}
