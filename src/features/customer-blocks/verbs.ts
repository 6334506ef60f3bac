// A pro blocks customers, known by their e-mail addresses, from booking again.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../idempotency/context.ts'
import { runIdempotently } from '../../idempotency/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../platform/schema/paging.ts'
import { deleteBlock, findBookedEmail, insertBlock, selectBlocks } from './queries.ts'
import type { CustomerBlocked, CustomerBlocks, NewCustomerBlock } from './schemas.ts'

/** The pro, and the calling account. */
export interface BlockingPro {
  accountId: string
  professionalId: string
}

/** One page of the pro's blocks, newest first. */
export async function listBlockedCustomers(
  { read }: Deps,
  { professionalId }: BlockingPro,
  query: PageQuery,
): Promise<CustomerBlocks> {
  const { customers, total } = await selectBlocks(read, professionalId, pageOf(query))
  return { customers, meta: pageMeta(total, query) }
}

/**
 * Blocks a customer from booking again. Existing bookings stay. Throws validation_failed unless exactly one of `bookingId`
 * and `email` is given, and booking_not_found.
 */
export async function blockCustomer(
  deps: Deps,
  { accountId, professionalId }: BlockingPro,
  input: NewCustomerBlock,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<CustomerBlocked>> {
  if ((input.bookingId === undefined) === (input.email === undefined))
    throw invalidField('body.email', 'either this or bookingId is required')
  const operation = { accountId, operation: 'blockCustomer', request: input }
  return await runIdempotently(deps, idempotency, operation, async (tx) => {
    const email = input.email ?? (await findBookedEmail(tx, professionalId, input.bookingId ?? ''))
    if (email === undefined) throw new AppError('booking_not_found', 'You have no booking with this id.')
    const [id, now] = [deps.ids.uuid(), deps.clock.now()]
    const customer = await insertBlock(tx, { id, professionalId, email, reason: input.reason ?? null, now })
    return { success: true, customer }
  })
}

/** Lets a customer book again. Throws not_found. */
export async function unblockCustomer({ write }: Deps, { professionalId }: BlockingPro, id: string): Promise<void> {
  if (!(await deleteBlock(write, professionalId, id)))
    throw new AppError('not_found', 'You have blocked no customer with this id.')
}
