// SQL of the reviews that bear a customer's address.
import type { ReviewState } from '../states.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './of-customer.sql.ts'

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
  const page = await statements.selectReviewsOfCustomer<{ reviews: CustomerReview[] }>(ctx, {
    customerEmail,
    limit,
    offset,
  })
  return page ?? { total: 0, reviews: [] }
}
