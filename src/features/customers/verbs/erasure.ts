// A signed-in customer's wish to be erased. It may take longer than a request, so `sweep-expired` fulfils it.
import type { CustomerCaller } from '../../../auth/caller.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { normalEmail } from '../../../platform/schema/email.ts'
import { eraseCustomer } from '../../privacy/verbs/erase-customer.ts'
import { claimErasure, endErasureRequest, findErasureRequest, upsertErasureRequest } from '../queries/erasures.ts'
import type { ErasureRequest } from '../schemas.ts'

/** Longer than an attempt may take. */
const LEASE_MS = 5 * 60_000
const MAX_ATTEMPTS = 5

/** Asks for the customer's erasure. Throws validation_failed unless the customer repeats the address. */
export async function requestErasure(
  { write, clock }: Deps,
  customer: CustomerCaller,
  { email }: { email: string },
): Promise<void> {
  if (normalEmail(email.trim()) !== customer.customerEmail) throw invalidField('email', 'is not your e-mail address')
  await upsertErasureRequest(write, customer.accountId, clock.now())
}

/** The customer's request that waits, was refused or failed. A fulfilled one is erased, too. */
export const getErasureRequest = ({ write }: Deps, customer: CustomerCaller): Promise<ErasureRequest | undefined> =>
  findErasureRequest(write, customer.accountId)

/** Fulfils the request that is due longest, or records what must end first. Returns how many were due: 0 or 1. */
export async function eraseRequested(deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS)
  const claimed = await claimErasure(deps.write, { now, leaseEndsAt })
  if (!claimed) return 0
  const { accountId, email, attempts } = claimed
  if (attempts > MAX_ATTEMPTS) {
    deps.log.error({ accountId }, 'a customer could not be erased: run `hearth privacy erase`')
    await endErasureRequest(deps.write, accountId, null)
    return 1
  }
  const result = await eraseCustomer(deps, { email, requestedBy: 'the customer, signed in' })
  if (result.outcome === 'open_work') await endErasureRequest(deps.write, accountId, result.open)
  return 1
}
