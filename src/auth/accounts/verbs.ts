// Accounts, found by e-mail address and created on first use.
import { type Deps, oncePerDeps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import { findAccountByEmail, findActsForPro, insertAccount } from './queries.ts'
import type { Account, AccountKind } from './schemas.ts'

/** The account of `email`; creates it with `kind` when it does not exist. */
export async function ensureAccount(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  db: Runner,
  email: string,
  kind: AccountKind = 'developer',
  testOf: string | null = null,
): Promise<Account> {
  const existing = await findAccountByEmail(db, email)
  if (existing) return existing
  await insertAccount(db, { id: ids.uuid(), kind, email, name: email, createdAt: clock.now(), testOf })
  const created = await findAccountByEmail(db, email)
  if (!created) throw new Error('An account vanished between insert and read.')
  return created
}

/** The account of all that `owner` does in test mode; an account of test mode itself. Its address takes no mail. */
export const ensureTestAccount = (deps: Pick<Deps, 'clock' | 'ids'>, db: Runner, owner: Account): Promise<Account> =>
  owner.testOf === null
    ? ensureAccount(
        deps,
        db,
        `test-${owner.id}@hearth.invalid`,
        owner.kind === 'client' ? 'client' : 'developer',
        owner.id,
      )
    : Promise.resolve(owner)

/** Bookings on Hearth's own pages need no key: they belong to this account, which has no keys and no users. */
export const SITE_EMAIL = 'pages@hearth.invalid'

/** The account of Hearth's own pages. */
export const siteAccountOf = oncePerDeps((deps) => {
  let account: Promise<Account> | undefined
  return (): Promise<Account> => {
    account ??= ensureAccount(deps, deps.write, SITE_EMAIL).catch((error: unknown) => {
      account = undefined
      throw error
    })
    return account
  }
})

/** Whose key or login a request carries; null without one. */
export interface Actor {
  readonly accountId: string | null
}

/** A request without a key or login. */
export const NOBODY: Actor = { accountId: null }

/** Whether the account acts for the pro: by its key, an app that it connected, or a login to the console. */
export const actsForPro = (db: Runner, { accountId }: Actor, professionalId: string): Promise<boolean> =>
  accountId === null ? Promise.resolve(false) : findActsForPro(db, accountId, professionalId)

/** Throws own_business when a pro's account acts as a customer of the pro, whatever link or code it has. */
export async function refuseOwnBusiness(db: Runner, actor: Actor, professionalId: string): Promise<void> {
  if (await actsForPro(db, actor, professionalId)) throw ownBusiness()
}

/** For an account that would act as the customer of its own business. */
export const ownBusiness = (): AppError =>
  new AppError(
    'own_business',
    'Only the customer does this. With your own business, act as the pro: with the routes under /api/v1/pro or in the console.',
  )
