// Mutants of the second factor of log-ins.
import type { Mutant } from './mutant.ts'

const FACTOR_TEST = 'test/auth/second-factor.test.ts'
const REQUIRED_TEST = 'test/auth/required-factor.test.ts'

export const SECOND_FACTORS: readonly Mutant[] = [
  {
    guarantee: 'A code of an app does not work after a code of its step or of a later one.',
    file: 'src/auth/users/rules/totp.ts',
    from: 'Math.max(current - WINDOW, lastStep + 1)',
    to: 'current - WINDOW',
    killedBy: 'test/auth/totp.test.ts',
  },
  {
    guarantee: 'A code that is sent twice at the same moment works once.',
    file: 'src/auth/users/queries/second-factors.sql',
    from: 'and secret_encrypted = :secret_encrypted and last_step < :step',
    to: 'and secret_encrypted = :secret_encrypted and last_step <= :step',
    killedBy: FACTOR_TEST,
    tests: 'accepts no code twice',
  },
  {
    guarantee: 'A recovery code works once.',
    file: 'src/auth/users/queries/second-factors.sql',
    from: 'array_remove(recovery_digests, :digest)',
    to: 'array_append(array_remove(recovery_digests, :digest), :digest)',
    killedBy: FACTOR_TEST,
    tests: 'accepts each recovery code once',
  },
  {
    guarantee: 'The password alone starts no session of a user with a second factor.',
    file: 'src/auth/users/verbs/sessions.ts',
    from: '  if (await findSecondFactor(ctx, { userId }))\n',
    to: "  if (userId === '')\n",
    killedBy: FACTOR_TEST,
    tests: 'gives no session',
  },
  {
    guarantee: 'Attempts at the second factor of a user are limited.',
    file: 'src/rate-limit/factor-limits.ts',
    from: 'const FACTORS_PER_USER = 10',
    to: 'const FACTORS_PER_USER = 20',
    killedBy: FACTOR_TEST,
    tests: 'limits guesses',
  },
  {
    guarantee: 'Guesses elsewhere do not lock a user out of a browser that is known.',
    file: 'src/rate-limit/factor-limits.ts',
    from: "isKnown ? 'known' : 'other'",
    to: "isKnown ? 'other' : 'other'",
    killedBy: FACTOR_TEST,
    tests: 'limits guesses',
  },
  {
    guarantee: 'The check of a password is of one browser.',
    file: 'src/web/console/login-code-view.tsx',
    from: '`password check in ${browser}`',
    to: "browser && 'password check'",
    killedBy: FACTOR_TEST,
    tests: 'no check of another browser',
  },
  {
    guarantee: 'Another password ends the check of the former one.',
    file: 'src/auth/users/verbs/sessions.ts',
    from: ' || passwordDigestOf(ctx, user.passwordHash) !== passwordDigest',
    to: '',
    killedBy: FACTOR_TEST,
    tests: 'starts again ten minutes after',
  },
  {
    guarantee: 'Setting up a second factor ends the other sessions of the user.',
    file: 'src/auth/users/verbs/second-factors.ts',
    from: '    await deleteOtherSessionsOf(ctx, { userId, tokenHash: hashToken(token) })\n',
    to: '',
    killedBy: FACTOR_TEST,
    tests: 'shows a QR code',
  },
  {
    guarantee: 'An administrator removes the second factor of a user with their own password only.',
    file: 'src/web/console/users/routes.ts',
    from: 'if (!(await isCorrectPassword(ctx, { email: own.email, password })))',
    to: "if (password === '')",
    killedBy: FACTOR_TEST,
    tests: 'is shown to administrators',
  },
  {
    guarantee: 'Operators who need a second factor do nothing else before they have set it up.',
    file: 'src/http/permissions.ts',
    from: 'user.mustSetUpFactor === true && !mayUseWithoutFactor(name)',
    to: "user.mustSetUpFactor === true && name === ''",
    killedBy: REQUIRED_TEST,
  },
  {
    guarantee: 'The first page of the console is no page of one’s own log-in.',
    file: 'src/auth/users/rules/permissions.ts',
    from: "OPERATOR_ROUTES[route] === 'ownLogin'",
    to: "OPERATOR_ROUTES[route]?.startsWith('own') === true",
    killedBy: REQUIRED_TEST,
  },
]
