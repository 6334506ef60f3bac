// A signed-in customer's request to be erased. An erasure may take longer than a request, so `sweep-expired` carries it out.
import type { CustomerCaller } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { normalEmail } from '../../../../platform/schema/email.ts'
import { eraseCustomer } from '../../privacy/verbs/erase-customer.ts'
import { findErasureRequest, upsertErasureRequest } from '../queries/erasures.ts'
import { claimErasure, endErasureRequest } from '../queries/erasures.sql.ts'
import type { ErasureRequest } from '../schemas.ts'

/** Longer than an attempt may take. */
const LEASE_MS = 5 * 60_000
const MAX_ATTEMPTS = 5

/** Asks for the customer's erasure. Throws validation_failed unless the customer repeats the address. */
export async function requestErasure(ctx: Ctx<CustomerCaller>, { email }: { email: string }): Promise<void> {
  if (normalEmail(email.trim()) !== ctx.actor.customerEmail) throw invalidField('email', 'is not your e-mail address')
  await upsertErasureRequest(ctx, { accountId: ctx.actor.accountId, now: ctx.clock.now() })
}

/** The customer's request that waits, was refused or failed. A fulfilled one is erased, too. */
export const getErasureRequest = (ctx: Ctx<CustomerCaller>): Promise<ErasureRequest | undefined> =>
  findErasureRequest(ctx, { accountId: ctx.actor.accountId })

/** Carries out the request that is due longest, or records what prevents it. Returns how many were due: 0 or 1. */
export async function eraseRequested(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now()
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS)
  const claimed = await claimErasure(ctx, { now, leaseEndsAt })
  if (!claimed) return 0
  const { accountId, email, attempts } = claimed
  if (attempts > MAX_ATTEMPTS) {
    ctx.log.error({ accountId }, 'a customer could not be erased: run `hearth privacy erase`')
    await endErasureRequest(ctx, { accountId, openWork: null })
    return 1
  }
  const result = await eraseCustomer(ctx, { email, requestedBy: 'the customer, signed in' })
  if (result.outcome === 'open_work') await endErasureRequest(ctx, { accountId, openWork: result.open })
  return 1
}
