// Mutants of pros who move.
import type { Mutant } from './mutant.ts'

const file = 'src/features/business/moves/verbs.ts'
const killedBy = 'test/features/business/moves/moves.test.ts'

export const MOVES: readonly Mutant[] = [
  {
    guarantee: 'The plan of a move counts the visits beyond the new distance.',
    file,
    from: 'milesBetween(point, at) > radiusMiles',
    to: 'milesBetween(point, at) > now.radiusMiles * 100',
    killedBy,
    tests: 'what was seen is what is done',
  },
  {
    guarantee: 'A pro who hides the place is moved to the middle of the city.',
    file,
    from: 'isPlaceHidden ? {',
    to: '!isPlaceHidden ? {',
    killedBy,
    tests: 'an operator moves a pro with a reason',
  },
]
