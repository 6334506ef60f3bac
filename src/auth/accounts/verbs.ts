// Accounts, found by e-mail address and created on first use.
import { type Ctx, ctxOf, type TxCtx } from '../../ctx.ts'
import { oncePerDeps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { findActsForPro, insertAccount } from './queries.ts'
import { findAccountByEmail } from './queries.sql.ts'
import type { Account, AccountKind } from './schemas.ts'

/** Of an account's name, in characters: an address may be longer. */
const MAX_NAME = 200

/** The account of `email`; creates it with `kind` when it does not exist. */
export async function ensureAccount(
  ctx: Ctx,
  { email, kind = 'developer', testOf = null }: { email: string; kind?: AccountKind; testOf?: string | null },
): Promise<Account> {
  const existing = await findAccountByEmail(ctx, { email })
  if (existing) return existing
  await insertAccount(ctx, {
    id: ctx.ids.uuid(),
    kind,
    email,
    name: email.slice(0, MAX_NAME),
    createdAt: ctx.clock.now(),
    testOf,
  })
  const created = await findAccountByEmail(ctx, { email })
  if (!created) throw new Error('An account vanished between insert and read.')
  return created
}

/** Whether this is the address of a pro's account. */
export const isAccountOfPro = async (ctx: Ctx, { email }: { email: string }): Promise<boolean> =>
  (await findAccountByEmail(ctx, { email }))?.kind === 'pro'

/**
 * The test account of `owner`, which owns everything made in test mode. Returns a test account as it is. Its e-mail address
 * cannot receive mail.
 */
export const ensureTestAccount = (ctx: TxCtx, owner: Account): Promise<Account> =>
  owner.testOf === null
    ? ensureAccount(ctx, {
        email: `test-${owner.id}@hearth.invalid`,
        kind: owner.kind === 'client' ? 'client' : 'developer',
        testOf: owner.id,
      })
    : Promise.resolve(owner)

/** Bookings on Hearth's own pages need no key: they belong to this account, which has no keys and no users. */
export const SITE_EMAIL = 'pages@hearth.invalid'

/** The account of Hearth's own pages. */
export const siteAccountOf = oncePerDeps((deps) => {
  let account: Promise<Account> | undefined
  return (): Promise<Account> => {
    account ??= ensureAccount(ctxOf(deps), { email: SITE_EMAIL }).catch((error: unknown) => {
      account = undefined
      throw error
    })
    return account
  }
})

/** The account of the key or login in a request; null for a request without one. */
export interface Actor {
  readonly accountId: string | null
}

/** A request without a key or login. */
export const ANONYMOUS: Actor = { accountId: null }

/** Whether the account acts for the pro: by its key, an app that it connected, or a login to the console. */
export const actsForPro = (ctx: Ctx<Actor>, { professionalId }: { professionalId: string }): Promise<boolean> =>
  ctx.actor.accountId === null
    ? Promise.resolve(false)
    : findActsForPro(ctx, { accountId: ctx.actor.accountId, professionalId })

/** Throws own_business when a pro's account acts as a customer of the pro, whatever link or code it has. */
export async function refuseOwnBusiness(
  ctx: Ctx<Actor>,
  { professionalId }: { professionalId: string },
): Promise<void> {
  if (await actsForPro(ctx, { professionalId })) throw ownBusiness()
}

/** For an account that would act as the customer of its own business. */
export const ownBusiness = (): AppError =>
  new AppError(
    'own_business',
    'Only the customer does this. With your own business, act as the pro: with the routes under /api/v1/pro or in the console.',
  )
