// `hearth reviews list | approve | reject`: moderation.
import { endingIn } from '../platform/text/format.ts'
import { approveReview, listReviewsToModerate, rejectReview } from '../features/reviews/reviews/verbs/reviews.ts'
import type { ReviewState } from '../features/reviews/reviews/states.ts'
import { UsageError, requireId, requireOneOf } from './failure.ts'
import { withDeps } from './command-deps.ts'

interface ListOptions {
  status: string
  limit: string
  json?: boolean
}

const STATES = ['pending', 'approved', 'rejected'] as const satisfies ReviewState[]

/** Lists reviews in one state, newest first. */
export const runReviewsList = ({ status, limit, json }: ListOptions) =>
  withDeps(async (ctx) => {
    const state = requireOneOf(status, STATES, '--status')
    if (!/^[1-9]\d{0,3}$/.test(limit)) throw new UsageError(`--limit must be 1 to 9999, not "${limit}".`)
    const { reviews, total } = await listReviewsToModerate(ctx, { status: state, limit: Number(limit) })
    if (json) return console.log(JSON.stringify(reviews))
    if (reviews.length === 0) return console.log(`No ${status} reviews.`)
    for (const { id, rating, professional, author, isVerified, title, content, createdAt } of reviews) {
      console.log(`${id}  ${'★'.repeat(rating).padEnd(5)}  ${createdAt}  ${professional.businessName}`)
      console.log(`    ${author}${isVerified ? ' (verified)' : ''}: ${[title, content].filter(Boolean).join(' · ')}`)
    }
    if (total > reviews.length) console.log(`… and ${total - reviews.length} more (raise --limit).`)
  })

/** Publishes a review. */
export const runReviewsApprove = (id: string) =>
  withDeps(async (ctx) => {
    const { professional } = await approveReview(ctx, { id: requireReviewId(id) })
    console.log(`Approved ${id}: it now counts for ${endingIn(professional.businessName)}`)
  })

/** Rejects a review with a reason that the pro can read. */
export const runReviewsReject = (id: string, { reason }: { reason: string }) =>
  withDeps(async (ctx) => {
    await rejectReview(ctx, { id: requireReviewId(id), reason })
    console.log(`Rejected ${id}.`)
  })

const requireReviewId = (id: string) => requireId(id, 'review', 'reviews list')
