// Passwords: hashed with Argon2id, made where nobody chooses one.
import { randomBytes } from 'node:crypto'

import { invalidField } from '../../errors/app-error.ts'
import { PASSWORD_LENGTH } from './schemas.ts'

/** OWASP's password storage advice: 19 MiB and two passes. Bun hashes on its thread pool, so few do at once. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** 80 bits in groups that can be read out. */
export function makePassword(): string {
  const letters = Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Without letters and digits that look alike; 32 of them, so that each is equally likely. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, ARGON2ID)

/**
 * Whether the password is the one that was hashed. Without a hash it takes as long and says no: how long an answer takes
 * does not tell whether an address is known.
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  nobodys ??= hashPassword(makePassword())
  const matches = await Bun.password.verify(password, hash ?? (await nobodys))
  return matches && hash !== undefined
}

let nobodys: Promise<string> | undefined

/** Throws validation_failed for a password of the wrong length. */
export function checkPassword(password: string): void {
  const { min, max } = PASSWORD_LENGTH
  if (password.length < min || password.length > max)
    throw invalidField('password', `must have ${min} to ${max} characters`)
}
