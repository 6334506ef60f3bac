// Reports of published reviews: a pro says what is wrong with one, and an operator keeps the review or takes it down.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { planMessage } from '../../../messages/messages/verbs/plan-message.ts'
import { type OperatorId, recordAction } from '../../../upkeep/audit/verbs.ts'
import {
  countReports,
  decideReport,
  findLastOutcome,
  insertReport,
  isOpenReport,
  selectLastReports,
} from '../queries/reports.sql.ts'
import { findReviewForUpdate } from '../queries/reviews.sql.ts'
import { required } from './publish.ts'
import type { NewReviewReport, ReportOutcome, ReviewReport } from '../schemas.ts'

/** A pro may report a review once more after an operator kept it. */
const MAX_REPORTS = 2

/**
 * Reports a published review of the pro to the operators, with an entry of the audit log. It stays public. Throws review_not_found, and
 * invalid_transition unless it is published, while a report of it waits, and after two reports.
 */
export const reportReview = (
  ctx: Ctx<{ professionalId: string }>,
  { id: reviewId, by, ...report }: NewReviewReport & { id: string; by: OperatorId },
): Promise<void> =>
  ctx.transaction('reportReview', async (ctx) => {
    const { professionalId } = ctx.actor
    const review = await findReviewForUpdate(ctx, { id: reviewId, professionalId })
    if (!review) throw notFound()
    if (review.status !== 'approved') throw refused('Only a published review can be reported.')
    const { total, open } = required(await countReports(ctx, { reviewId }))
    if (open > 0) throw refused('You have reported this review already. We look at it.')
    if (total >= MAX_REPORTS) throw refused('You have reported this review twice. What we decided stays.')
    const [id, now] = [ctx.ids.uuid(), ctx.clock.now()]
    await insertReport(ctx, { id, reviewId, professionalId, number: total + 1, ...report, now })
    const { reason, words } = report
    const details = { by: 'pro', reason }
    await recordAction(ctx, {
      action: 'review.reported',
      subjectId: reviewId,
      professionalId,
      by,
      reason: words,
      details,
    })
  })

/**
 * Leaves a reported review published, for an operator, with words to the pro, who gets them by e-mail. Throws review_not_found, and
 * invalid_transition unless a report of it waits: the one that the operator saw, if it is given.
 */
export const keepReview = (
  ctx: Ctx,
  { id, words, reportId, by = null }: { id: string; words: string; reportId?: string | undefined; by?: OperatorId },
): Promise<void> =>
  ctx.transaction('keepReview', async (ctx) => {
    if (reportId !== undefined) await checkOpenReport(ctx, { id: reportId, reviewId: id })
    const review = await findReviewForUpdate(ctx, { id, professionalId: null })
    if (!review) throw notFound()
    const report = await closeReport(ctx, { reviewId: id, outcome: 'kept', answer: words, by })
    if (!report) throw await decidedAlready(ctx, { reviewId: id })
    const { professionalId } = report
    await recordAction(ctx, { action: 'review.kept', subjectId: id, professionalId, by, reason: words })
  })

interface DecidedReport {
  reviewId: string
  outcome: ReportOutcome
  /** What the pro reads. */
  answer: string
  by: OperatorId
}

/** Closes the open report of a locked review, if it has one, and tells the pro. Undefined without one. */
export async function closeReport(ctx: TxCtx, { reviewId, outcome, answer, by }: DecidedReport) {
  const report = await decideReport(ctx, { reviewId, outcome, answer, by, now: ctx.clock.now() })
  if (!report) return undefined
  const { number, professionalId, businessName: pro, content, email } = report
  await planMessage(ctx, {
    kind: 'review-report-decided',
    to: email,
    data: { pro, content, outcome, answer, consoleUrl: `${ctx.config.baseUrl}/console/my-reviews` },
    key: `review-report-${number}:${reviewId}`,
    professionalId,
  })
  return report
}

/** Locks a review. Throws review_not_found, and invalid_transition unless the report that an operator saw still waits. */
export async function checkOpenReport(ctx: TxCtx, { id, reviewId }: { id: string; reviewId: string }): Promise<void> {
  if (!(await findReviewForUpdate(ctx, { id: reviewId, professionalId: null }))) throw notFound()
  if (!(await isOpenReport(ctx, { id, reviewId }))?.open) throw await decidedAlready(ctx, { reviewId })
}

/** The last report of each of some reviews; those that were never reported are missing. */
export async function listLastReports(
  ctx: Ctx,
  { ids }: { ids: readonly string[] },
): Promise<ReadonlyMap<string, ReviewReport>> {
  if (ids.length === 0) return new Map()
  const found = await selectLastReports(ctx, { ids: `{${ids.join()}}` })
  return new Map(
    found.map(({ reviewId, ...report }) => [reviewId, { ...report, isLast: report.number === MAX_REPORTS }]),
  )
}

async function decidedAlready(ctx: TxCtx, { reviewId }: { reviewId: string }): Promise<AppError> {
  const last = await findLastOutcome(ctx, { reviewId })
  if (!last) return refused('This review is not reported.')
  return refused(
    last.outcome === 'kept'
      ? 'The report was answered meanwhile: the review stays published.'
      : 'The report was answered meanwhile: the review was taken down.',
  )
}

const notFound = () => new AppError('review_not_found', 'No review has this id.')
const refused = (detail: string) => new AppError('invalid_transition', detail)
