// Mutants of the reports of reviews.
import type { Mutant } from './mutant.ts'

const REPORTS_TEST = 'test/features/reviews/reviews/reports.test.ts'

export const REPORTS: readonly Mutant[] = [
  {
    guarantee: 'A pro reports only reviews of their own.',
    file: 'src/features/reviews/reviews/verbs/reports.ts',
    from: 'findReviewForUpdate(ctx, { id: reviewId, professionalId })',
    to: 'findReviewForUpdate(ctx, { id: reviewId, professionalId: null })',
    killedBy: REPORTS_TEST,
  },
  {
    guarantee: 'Taking a review down answers the report of it.',
    file: 'src/features/reviews/reviews/verbs/reviews.ts',
    from: "    await closeReport(ctx, { reviewId: id, outcome: 'taken_down', answer: reason, by })\n",
    to: '',
    killedBy: REPORTS_TEST,
  },
  {
    guarantee: 'A review that another operator has kept meanwhile is not taken down by an old list.',
    file: 'src/features/reviews/reviews/verbs/reviews.ts',
    from: 'if (reportId !== undefined) await checkOpenReport',
    to: 'if (reportId === null) await checkOpenReport',
    killedBy: REPORTS_TEST,
  },
]
