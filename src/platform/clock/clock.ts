// Time and ids, as dependencies: tests set them, SQL takes them as parameters.
import { randomBytes } from 'node:crypto'

/** What time it is. */
export interface Clock {
  now(): Date
}

/** Makes the names of new things. */
export interface Ids {
  /** A UUIDv7 (RFC 9562): unique, and sorted by creation. */
  uuid(): string
  /** `HTH-` and 12 characters of Crockford base32: 60 random bits, so the code can be the secret of its booking. */
  confirmationCode(): string
}

export const systemClock: Clock = { now: () => new Date() }

/** Crockford's base32: no I, L, O, U, so that a code survives being read aloud. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const systemIds: Ids = {
  uuid: () => Bun.randomUUIDv7(),
  confirmationCode: () => `HTH-${Array.from(randomBytes(12), (byte) => CROCKFORD[byte & 31]).join('')}`,
}
