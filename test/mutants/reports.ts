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
  {
    guarantee: 'An answer to an earlier report answers no later one, which the operator has not read.',
    file: 'src/features/reviews/reviews/queries/reports.sql',
    from: 'exists (select from review_reports where id = :id and review_id',
    to: 'exists (select from review_reports where :id::uuid is not null and review_id',
    killedBy: REPORTS_TEST,
    tests: 'answers no later one',
  },
  {
    guarantee: 'The form that keeps a review names the report that its page shows.',
    file: 'src/web/console/reviews/report.tsx',
    from: 'values={{ report: reportId }}',
    to: 'values={{ report: undefined }}',
    killedBy: REPORTS_TEST,
    tests: 'answers no later one',
  },
  {
    guarantee: 'An operator who is late is told how the report was answered, also while another one waits.',
    file: 'src/features/reviews/reviews/queries/reports.sql',
    from: ' and decided_at is not null order by number',
    to: ' order by number',
    killedBy: REPORTS_TEST,
    tests: 'answers no later one',
  },
]
