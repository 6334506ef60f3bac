// How often the second factor of a user may be tried.
import type { Limit } from './limiter/limit.ts'
import { LOGIN_WINDOW_MS, exact } from './quotas.ts'

/**
 * Attempts at a second factor, of one user from all browsers that are not known together, and from all known ones: of a million codes three
 * are right at a time, so that a thief of the password guesses one in a year on average. One who guesses elsewhere locks no known browser out.
 */
const FACTORS_PER_USER = 10

/** The limits of attempts at a second factor: of a client, and of the user whose password it gave. */
export const factorLimits = (
  { address, userId, isKnown }: { address: string; userId: string; isKnown: boolean },
  perAddress: number,
): Limit[] => [
  exact('second-factors', perAddress, LOGIN_WINDOW_MS.byAddress, address),
  exact('second-factors-user', FACTORS_PER_USER, LOGIN_WINDOW_MS.byPair, `${userId} ${isKnown ? 'known' : 'other'}`),
]
