// What is known about a signed-in customer: visits that are over and completed jobs, to review, and their contact, for forms.
import type { CustomerCaller } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { selectLatestContact } from '../queries/contact.ts'
import { selectFinishedWork } from '../queries/finished-work.ts'
import type { Contact, FinishedWork } from '../schemas.ts'

const MAX_LISTED = 20

/** The latest work that the customer has not reviewed. */
export const listReviewableWork = (ctx: Ctx<CustomerCaller>): Promise<FinishedWork[]> =>
  selectFinishedWork(ctx, {
    now: ctx.clock.now(),
    limit: MAX_LISTED,
    isProven: true,
    customerEmail: ctx.actor.customerEmail,
  })

/** The customer of finished work. */
type Finisher = Pick<CustomerCaller, 'customerEmail'> & { isProven: boolean }

/** A piece of the customer's finished work. Throws booking_not_found and job_not_found. */
export async function getFinishedWork(
  ctx: Ctx<Finisher>,
  { kind, id }: { kind: FinishedWork['kind']; id: string },
): Promise<FinishedWork> {
  const work = await findWork(ctx, { id })
  if (work?.kind !== kind) throw new AppError(`${kind}_not_found`, `You have no finished ${kind} with this id.`)
  return work
}

/** Whether the customer has reviewed this work; false for work that is not finished. */
export const isWorkReviewed = async (ctx: Ctx<Finisher>, { id }: { id: string }): Promise<boolean> =>
  (await findWork(ctx, { id }))?.isReviewed ?? false

async function findWork(ctx: Ctx<Finisher>, { id }: { id: string }): Promise<FinishedWork | undefined> {
  const { isProven, customerEmail } = ctx.actor
  const [work] = await selectFinishedWork(ctx, { now: ctx.clock.now(), id, limit: 1, isProven, customerEmail })
  return work
}

/** What the customer last typed while signed in: name, phone number and address. Undefined before that. */
export const findContact = (ctx: Ctx<CustomerCaller>): Promise<Contact | undefined> =>
  selectLatestContact(ctx, { customerEmail: ctx.actor.customerEmail })
