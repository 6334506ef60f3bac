// What is known about a signed-in customer: visits that are over and completed jobs, to review, and their contact, for forms.
import type { CustomerCaller } from '../../../auth/caller.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { selectLatestContact } from '../queries/contact.ts'
import { selectFinishedWork } from '../queries/finished-work.ts'
import type { Contact, FinishedWork } from '../schemas.ts'

const MAX_LISTED = 20

/** The latest work that the customer has not reviewed. */
export const listReviewableWork = (
  { write, clock }: Deps,
  { customerEmail }: CustomerCaller,
): Promise<FinishedWork[]> =>
  selectFinishedWork(write, customerEmail, { now: clock.now(), limit: MAX_LISTED, isProven: true })

/** A piece of the customer's finished work. Throws booking_not_found and job_not_found. */
export async function getFinishedWork(
  { write, clock }: Deps,
  { customerEmail, isProven }: Pick<CustomerCaller, 'customerEmail'> & { isProven: boolean },
  kind: FinishedWork['kind'],
  id: string,
): Promise<FinishedWork> {
  const [work] = await selectFinishedWork(write, customerEmail, { now: clock.now(), id, limit: 1, isProven })
  if (work?.kind !== kind) throw new AppError(`${kind}_not_found`, `You have no finished ${kind} with this id.`)
  return work
}

/** What the customer last typed while signed in: name, phone number and address. Undefined before that. */
export const findContact = (
  { write }: Pick<Deps, 'write'>,
  { customerEmail }: CustomerCaller,
): Promise<Contact | undefined> => selectLatestContact(write, customerEmail)
