// Time and ids as dependencies: tests set them, and SQL gets them as parameters.
import { randomBytes } from 'node:crypto'

export interface Clock {
  now(): Date
}

export interface Ids {
  /** A UUIDv7 (RFC 9562): unique, and sorted by creation. */
  uuid(): string
  /** `HTH-` and 12 characters of Crockford base32: its 60 random bits are the secret of the booking. */
  confirmationCode(): string
}

export const systemClock: Clock = { now: () => new Date() }

/** Crockford's base32: no I, L, O, U, so that a code can be read aloud. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const systemIds: Ids = {
  uuid: () => Bun.randomUUIDv7(),
  confirmationCode: () => `HTH-${Array.from(randomBytes(12), (byte) => CROCKFORD[byte & 31]).join('')}`,
}
