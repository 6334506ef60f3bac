// Accounts: found by e-mail address, made on first use.
import { type Deps, oncePerDeps } from '../../deps.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import type { AccountKind } from './schemas.ts'
import { type AccountRow, findAccountByEmail, insertAccount } from './queries.ts'

/** The account of `email`, made with `kind` when there is none yet. */
export async function ensureAccount(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  db: Runner,
  email: string,
  kind: AccountKind = 'developer',
): Promise<AccountRow> {
  const found = await findAccountByEmail(db, email)
  if (found) return found
  await insertAccount(db, { id: ids.uuid(), kind, email, name: email.toLowerCase(), createdAt: clock.now() })
  const made = await findAccountByEmail(db, email)
  if (!made) throw new Error('An account vanished between insert and read.')
  return made
}

/** Whoever books on our own pages has no key: their bookings belong to this account, which nobody can use. */
const SITE_EMAIL = 'pages@hearth.invalid'

/** The account of our own pages. */
export const siteAccountOf = oncePerDeps((deps) => {
  let found: Promise<AccountRow> | undefined
  return (): Promise<AccountRow> => {
    found ??= ensureAccount(deps, deps.write, SITE_EMAIL).catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }
})
