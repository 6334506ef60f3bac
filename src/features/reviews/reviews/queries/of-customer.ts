// SQL of the reviews that bear a customer's address.
import type { ReviewState } from '../states.ts'
import type { Ctx } from '../../../../ctx.ts'

/** A review as the owner of its address sees it. */
export interface CustomerReview {
  id: string
  businessName: string
  slug: string
  rating: number
  title: string | null
  content: string
  status: ReviewState
  createdAt: string
}

/** Those that the customer has not disowned, the latest first, and their total. */
export async function selectReviewsOfCustomer(
  ctx: Ctx,
  { customerEmail, limit, offset }: { customerEmail: string; limit: number; offset: number },
): Promise<{ total: number; reviews: CustomerReview[] }> {
  const [page] = await ctx.write.run<{ total: number; reviews: CustomerReview[] }>(
    'selectReviewsOfCustomer',
    (sql) => sql`
      with own as (
        select r.* from reviews r
        where r.customer_email = ${customerEmail} and r.disowned_at is null and not is_test_pro(r.professional_id)
      ), page as (select * from own order by created_at desc, id desc limit ${limit} offset ${offset})
      select (select count(*)::int from own) as total, coalesce((
        select json_agg(json_build_object('id', r.id, 'businessName', p.business_name, 'slug', p.slug, 'rating', r.rating,
          'title', r.title, 'content', r.content, 'status', r.status, 'createdAt', iso_instant(r.created_at))
          order by r.created_at desc, r.id desc)
        from page r join professionals p on p.id = r.professional_id), '[]') as reviews`,
  )
  return page ?? { total: 0, reviews: [] }
}
