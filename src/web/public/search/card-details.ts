// What cards show besides the result of a search.
import type { Ctx } from '../../../ctx.ts'
import { listNextOpenTimes } from '../../../features/calendar/availability/verbs.ts'
import { listLogos } from '../../../features/files/pictures/verbs.ts'
import { listReviewLines } from '../../../features/reviews/reviews/verbs/reviews.ts'
import type { Professional } from '../../../features/search/pros/schemas.ts'
import type { CardDetails } from './cards.tsx'

/** The next open time, of the service or of any, the logo, and a line of a review of each pro. */
export async function findCardDetails(
  ctx: Ctx,
  { pros, serviceId }: { pros: readonly Professional[]; serviceId: string | undefined },
): Promise<CardDetails> {
  const ids = pros.map(({ id }) => id)
  const bookable = pros.filter(({ bookingUrl }) => bookingUrl !== null).map(({ id }) => id)
  const reviewed = pros.filter(({ reviewCount }) => reviewCount > 0).map(({ id }) => id)
  const [times, logos, lines] = await Promise.all([
    listNextOpenTimes(ctx, { ids: bookable, serviceId }),
    listLogos(ctx, { ids }),
    listReviewLines(ctx, { ids: reviewed }),
  ])
  return { times, logos, lines }
}
