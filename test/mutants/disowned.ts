// Mutants of what customers disown.
import type { Mutant } from './mutant.ts'

const DISOWNED_TEST = 'test/web/my/disowned.test.ts'

export const DISOWNED: readonly Mutant[] = [
  {
    guarantee: 'A disowned review is published no more.',
    file: 'src/features/customers/customers/verbs/disown.ts',
    from: `    await withdrawReview(ctx, { id, status: review.status })
`,
    to: '',
    killedBy: DISOWNED_TEST,
  },
  {
    guarantee: 'The stars of a disowned review do not count.',
    file: 'sql/functions/review_stats.sql',
    from: 'set review_count = review_count - 1, rating_sum = rating_sum - old.rating',
    to: 'set review_count = review_count',
    killedBy: DISOWNED_TEST,
  },
  {
    guarantee: 'What is disowned twice is recorded once, with the same answer.',
    file: 'src/features/customers/customers/verbs/disown.ts',
    from: '    if (review.isDisowned) return\n',
    to: '',
    killedBy: DISOWNED_TEST,
  },
  {
    guarantee: 'A copy leaves out what the customer disowned.',
    file: 'src/features/customers/privacy/verbs/export-customer.ts',
    from: 'limit: PAGE, ownOnly: true',
    to: 'limit: PAGE, ownOnly: false',
    killedBy: DISOWNED_TEST,
  },
  {
    guarantee: 'A disowned booking brings no invitation to review.',
    file: 'sql/functions/plan_messages.sql',
    from: 'where b.id = event.aggregate_id and b.disowned_at is null;',
    to: 'where b.id = event.aggregate_id;',
    killedBy: DISOWNED_TEST,
  },
  {
    guarantee: 'An invitation to review that is planned is not sent for a disowned booking.',
    file: 'sql/functions/message_data.sql',
    from: '        and booking.disowned_at is null\n',
    to: '',
    killedBy: DISOWNED_TEST,
  },
]
