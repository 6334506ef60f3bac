// Sessions of customers. A session is a random token in a cookie; the database stores its hash.
import type { Ctx, TxCtx } from '../../ctx.ts'
import { hashToken, isToken, newToken } from '../users/tokens.ts'
import { findAccountOfCustomer, insertCustomer } from './queries.ts'
import {
  deleteCustomerSession,
  extendCustomerSession,
  findCustomerSession,
  insertCustomerSession,
} from './queries.sql.ts'
import type { CustomerCaller } from '../caller.ts'

const DAY_MS = 86_400_000
/** A session without a request for this long has expired. */
const IDLE_MS = 7 * DAY_MS
/** The longest session. */
export const CUSTOMER_SESSION_MS = 30 * DAY_MS
/** The expiry is extended at most this often, not per request. */
const EXTEND_EVERY_MS = 3_600_000

/** The e-mail address of the account cannot exist (RFC 2606). The customer’s address is in `customers`. */
const accountEmail = (accountId: string) => `${accountId}@customers.invalid`

/** Starts a session for the owner of a proven address, who becomes a customer with the first one. Returns its token. */
export async function startCustomerSession(ctx: TxCtx, { email }: { email: string }): Promise<string> {
  const now = ctx.clock.now()
  const added = ctx.ids.uuid()
  await insertCustomer(ctx, { accountId: added, accountEmail: accountEmail(added), email, now })
  const accountId = await findAccountOfCustomer(ctx, { email })
  if (accountId === undefined) throw new Error('A customer vanished between insert and read.')
  const token = newToken()
  const [expiresAt, endsAt] = [IDLE_MS, CUSTOMER_SESSION_MS].map((ms) => new Date(now.getTime() + ms)) as [Date, Date]
  await insertCustomerSession(ctx, {
    tokenHash: hashToken(token),
    accountId,
    customerEmail: email,
    now,
    expiresAt,
    endsAt,
  })
  return token
}

/** The customer of a session token. Reads from the primary: a replica may not have the session yet. */
export async function findCustomer(ctx: Ctx, { token }: { token: string }): Promise<CustomerCaller | undefined> {
  if (!isToken(token)) return undefined
  const now = ctx.clock.now()
  const session = await findCustomerSession(ctx, { tokenHash: hashToken(token), now })
  if (!session) return undefined
  const { expiresAt, endsAt, ...customer } = session
  const extendedMs = Math.min(now.getTime() + IDLE_MS, Date.parse(endsAt))
  if (extendedMs - Date.parse(expiresAt) >= EXTEND_EVERY_MS)
    await extendCustomerSession(ctx, { tokenHash: hashToken(token), expiresAt: new Date(extendedMs) })
  return customer
}

/** Ends the session, if it exists. */
export async function endCustomerSession(ctx: Ctx, { token }: { token: string }): Promise<void> {
  if (isToken(token)) await deleteCustomerSession(ctx, { tokenHash: hashToken(token) })
}
