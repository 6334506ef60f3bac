// Mutants of users, password links and login attempts.
import type { Mutant } from './mutant.ts'

export const USERS: readonly Mutant[] = [
  {
    guarantee: 'A password link expires after a day.',
    file: 'src/auth/users/queries/password-links.ts',
    from: 'l.expires_at > ${now.toISOString()} and',
    to: '',
    killedBy: 'test/web/console/users.test.ts',
    tests: 'without a browser',
  },
  {
    guarantee: 'A password link works once.',
    file: 'src/auth/users/verbs/changes.ts',
    from: '  await deleteLinkOf(tx, change.userId)\n',
    to: '',
    killedBy: 'test/web/console/users.test.ts',
    tests: 'without a browser',
  },
  {
    guarantee: 'A new password link replaces the one before.',
    file: 'src/auth/users/queries/password-links.ts',
    from: 'set token_hash = excluded.token_hash, created_at',
    to: 'set created_at',
    killedBy: 'test/web/console/users.test.ts',
    tests: 'without a browser',
  },
  {
    guarantee: 'The last operator cannot be disabled.',
    file: 'src/auth/users/verbs/users.ts',
    from: 'operators.length === 1 && operators[0] === id',
    to: 'operators.length === 0',
    killedBy: 'test/web/console/users.test.ts',
    tests: 'without a browser',
  },
]
