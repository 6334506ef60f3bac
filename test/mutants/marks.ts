// Mutants of the marks of pros: their evidence and their last day.
import type { Mutant } from './mutant.ts'

const file = 'src/features/business/verification/verbs.ts'
const killedBy = 'test/features/business/verification/ending-marks.test.ts'

export const MARKS: readonly Mutant[] = [
  {
    guarantee: 'A mark goes at the end of its last day.',
    file,
    from: 'const isExpired = now.getTime() >= Date.parse(endsAt)',
    to: 'const isExpired = now.getTime() > Date.parse(endsAt) + 86_400_000',
    killedBy,
    tests: 'the pro is warned once',
  },
  {
    guarantee: 'A mark that the pro has lost already is not announced to end.',
    file,
    from: 'if (!found?.[row.mark])',
    to: 'if (!found)',
    killedBy,
    tests: 'a mark that the pro lost by a change',
  },
  {
    guarantee: 'A program that sets marks without evidence leaves the last day of those that stay.',
    file,
    from: '(evidence ?? kept)',
    to: '(evidence ?? [])',
    killedBy,
    tests: 'leaves the others',
  },
  {
    guarantee: 'What an operator writes of one mark warns of the end of another one no second time.',
    file,
    from: 'const staying = kept.filter((row) => isAmong(next, row))',
    to: 'const staying = kept.filter((row) => isAmong(next, row) && false)',
    killedBy,
    tests: 'leaves the others',
  },
  {
    guarantee: 'A mark that comes back after a change of the pro rests on no former evidence.',
    file,
    from: 'const kept = stored.filter(({ mark }) => before[mark])',
    to: 'const kept = stored.filter(({ mark }) => mark in before)',
    killedBy,
    tests: 'leaves the others',
  },
]
