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
  {
    guarantee: 'A move moves one pro.',
    file: 'src/features/business/moves/queries.sql',
    from: 'from cities c where c.id = :city_id and p.id = :id',
    to: 'from cities c where c.id = :city_id and :id::uuid is not null',
    killedBy: killedBy,
    tests: 'only comes farther',
  },
  {
    guarantee: 'A pro who comes farther, and stays where they are, is moved.',
    file: 'src/features/business/moves/verbs.ts',
    from: '    now.radiusMiles === radiusMiles &&\n',
    to: '',
    killedBy: killedBy,
    tests: 'only comes farther',
  },
  {
    guarantee: 'A visit that has begun is not announced as one to come.',
    file: 'src/features/business/moves/queries.sql',
    from: ' and b.starts_at > :now',
    to: ' and (b.starts_at > :now or b.id is not null)',
    killedBy: killedBy,
    tests: 'names the visits to come',
  },
  {
    guarantee: 'A time that was held and not paid for is no visit to come.',
    file: 'src/features/business/moves/queries.sql',
    from: 'b.hold_expires_at > :now)',
    to: 'b.hold_expires_at > :now or b.id is not null)',
    killedBy: killedBy,
    tests: 'names the visits to come',
  },
  {
    guarantee: 'A cancelled visit is not to come.',
    file: 'src/features/business/moves/queries.sql',
    from: "b.status in ('pending', 'confirmed')",
    to: "b.status in ('pending', 'confirmed', 'cancelled')",
    killedBy: killedBy,
    tests: 'names the visits to come',
  },
  {
    guarantee: 'An operator moves no test pro.',
    file: 'src/features/business/moves/queries.sql',
    from: ' and p.test_account_id is null',
    to: '',
    killedBy: killedBy,
    tests: 'closed and test pros are refused',
  },
]
