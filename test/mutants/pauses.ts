// Mutants of pros who are paused.
import type { Mutant } from './mutant.ts'

const killedBy = 'test/features/business/pros/pro-status.test.ts'

export const PAUSES: readonly Mutant[] = [
  {
    guarantee: 'Only an operator ends the pause of an operator.',
    file: 'src/features/business/pros/verbs.ts',
    from: 'if (isHeld && !isOperator)',
    to: 'if (isHeld && isOperator)',
    killedBy,
  },
  {
    guarantee: 'An operator who pauses a pro that was paused already holds the pause.',
    file: 'src/features/business/pros/verbs.ts',
    from: "pausedByOperator: isOperator && next === 'paused'",
    to: "pausedByOperator: isOperator && status === 'active' && next === 'paused'",
    killedBy,
  },
  {
    guarantee: 'The pro is told of a pause and of its end.',
    file: 'src/features/business/pros/verbs.ts',
    from: 'const data = { status: next, pro:',
    to: 'const data = { status, pro:',
    killedBy,
  },
  {
    guarantee: 'A pause keeps no review of work that was done away.',
    file: 'src/features/customers/customers/queries/finished-work.ts',
    from: 'and (p.test_account_id is null ${',
    to: 'and (p.active ${',
    killedBy,
  },
  {
    guarantee: 'A pro who is paused can be reviewed.',
    file: 'src/features/reviews/reviews/queries/reviews.sql',
    from: "(p.status = 'paused' or is_visible(",
    to: "(p.status = 'gone' or is_visible(",
    killedBy,
  },
]
