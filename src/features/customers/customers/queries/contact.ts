// SQL of what is known about a customer from their bookings and requests.
import type { Contact } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'

/**
 * The name, phone number and address of the latest booking or request that the customer made, one with an address first. What
 * others made with the address is not the customer's.
 */
export async function selectLatestContact(
  ctx: Ctx,
  { customerEmail }: { customerEmail: string },
): Promise<Contact | undefined> {
  const rows = await ctx.write.run<Contact>(
    'selectLatestContact',
    (sql) => sql`
      select name, phone, address from (
        (select customer_name as name, customer_phone as phone, address, created_at from bookings
          where customer_email = ${customerEmail} and proven_at is not null and not is_test_pro(professional_id)
          order by address is null, created_at desc limit 1)
        union all
        (select customer_name, customer_phone, address, created_at from rfqs
          where customer_email = ${customerEmail} and proven_at is not null and not is_test_pro(professional_id)
          order by address is null, created_at desc limit 1)
      ) known
      order by address is null, created_at desc limit 1`,
  )
  return rows[0]
}
