// Moderation: finds reviews, and decides about several of them at once.
import type { Ctx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { pageOf } from '../../../platform/schema/paging.ts'
import type { OperatorId } from '../../upkeep/audit/verbs.ts'
import { approveReview, rejectReview, withShownPhotos } from '../reviews/verbs/reviews.ts'
import { selectReviewsToModerate } from './queries.ts'
import type { ModerationQuery } from './schemas.ts'

const DAY_MS = 86_400_000
/** The age from which a review counts as old. */
const OLD_DAYS = 30

/** A moderator's search over the reviews of all pros. By default it finds what waits: the reported ones stand first. */
export async function searchReviews(ctx: Ctx, query: ModerationQuery) {
  const { q = '', status = 'waiting', rating, verified, pro, age, sort = 'newest' } = query
  const before = (days: number) => new Date(ctx.clock.now().getTime() - days * DAY_MS)
  const { reviews, ...found } = await selectReviewsToModerate(ctx, {
    q: q.trim(),
    status: status === 'all' || status === 'reported' || status === 'waiting' ? null : status,
    queue: status === 'reported' || status === 'waiting' ? status : null,
    rating: rating ? Number(rating) : null,
    verified: verified ? verified === 'yes' : null,
    pro: pro?.trim() || null,
    since: age && age !== 'older' ? before(Number(age)) : null,
    until: age === 'older' ? before(OLD_DAYS) : null,
    sort,
    ...pageOf(query),
  })
  return { ...found, reviews: reviews.map((review) => withShownPhotos(ctx, review)) }
}

/** A moderator's decision about several reviews. */
export interface Decision {
  ids: readonly string[]
  decision: 'approve' | 'reject'
  /** Required to reject; the pros can read it. */
  reason?: string | undefined
  by: OperatorId
}

/** `failed` names the reviews that were left as they are, with the reason. */
export interface Decided {
  done: number
  failed: { id: string; why: string }[]
}

/**
 * Approves or rejects each review by itself: those that another moderator decided meanwhile are named in `failed`. Throws
 * validation_failed for a rejection without a reason.
 */
export async function moderateReviews(ctx: Ctx, { ids, decision, reason = '', by }: Decision): Promise<Decided> {
  if (decision === 'reject' && reason.trim() === '') throw invalidField('reason', 'must say why; the pros can read it')
  const failed: Decided['failed'] = []
  for (const id of new Set(ids)) {
    try {
      await (decision === 'approve' ? approveReview(ctx, { id, by }) : rejectReview(ctx, { id, reason, by }))
    } catch (error) {
      if (!(error instanceof AppError) || !SKIPPED.has(error.code)) throw error
      failed.push({ id, why: error.detail })
    }
  }
  return { done: new Set(ids).size - failed.length, failed }
}

const SKIPPED = new Set<AppError['code']>(['invalid_transition', 'review_not_found'])
