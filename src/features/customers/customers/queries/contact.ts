// SQL of what is known about a customer from their bookings and requests.
import type { Contact } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './contact.sql.ts'

/**
 * The name, phone number and address of the latest booking or request that the customer made, one with an address first. What
 * others made with the address is not the customer's.
 */
export async function selectLatestContact(
  ctx: Ctx,
  { customerEmail }: { customerEmail: string },
): Promise<Contact | undefined> {
  return await statements.selectLatestContact<Pick<Contact, 'address'>>(ctx, { customerEmail })
}
