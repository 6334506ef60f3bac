// A pro blocks customers, known by their e-mail addresses, from booking again.
import type { Ctx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { deleteBlock, findBookedEmail, insertBlock, selectBlocks } from './queries.ts'
import type { CustomerBlocked, CustomerBlocks, NewCustomerBlock } from './schemas.ts'

/** The pro, and the calling account. */
export interface BlockingPro {
  accountId: string
  professionalId: string
}

/** One page of the pro's blocks, newest first. */
export async function listBlockedCustomers(ctx: Ctx<BlockingPro>, query: PageQuery): Promise<CustomerBlocks> {
  const { customers, total } = await selectBlocks(ctx, { ...pageOf(query), professionalId: ctx.actor.professionalId })
  return { customers, meta: pageMeta(total, query) }
}

/**
 * Blocks a customer from booking again. Existing bookings stay. Throws validation_failed unless exactly one of `bookingId`
 * and `email` is given, and booking_not_found.
 */
export async function blockCustomer(ctx: Ctx<BlockingPro>, input: NewCustomerBlock): Promise<CustomerBlocked> {
  if ((input.bookingId === undefined) === (input.email === undefined))
    throw invalidField('body.email', 'either this or bookingId is required')
  const operation = { accountId: ctx.actor.accountId, operation: 'blockCustomer', request: input }
  return await runIdempotently(ctx, operation, async (ctx) => {
    const email =
      input.email ??
      (await findBookedEmail(ctx, { professionalId: ctx.actor.professionalId, bookingId: input.bookingId ?? '' }))
    if (email === undefined) throw new AppError('booking_not_found', 'You have no booking with this id.')
    const [id, now] = [ctx.ids.uuid(), ctx.clock.now()]
    const customer = await insertBlock(ctx, {
      id,
      professionalId: ctx.actor.professionalId,
      email,
      reason: input.reason ?? null,
      now,
    })
    return { success: true, customer }
  })
}

/** Lets a customer book again. Throws not_found. */
export async function unblockCustomer(ctx: Ctx<BlockingPro>, { id }: { id: string }): Promise<void> {
  if (!(await deleteBlock(ctx, { professionalId: ctx.actor.professionalId, id })))
    throw new AppError('not_found', 'You have blocked no customer with this id.')
}
