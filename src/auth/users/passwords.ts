// Passwords: hashed with Argon2id, and generated where the user does not choose one.
import { randomBytes } from 'node:crypto'

import { invalidField } from '../../errors/app-error.ts'
import { countCharacters } from '../../platform/text/plain.ts'
import { PASSWORD_LENGTH } from './schemas.ts'

/** OWASP's password storage advice: 19 MiB and two passes. Bun hashes on its thread pool, which limits concurrency. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Letters and digits that do not look alike; 32 of them, so that each is equally likely. */
export const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 80 bits, in groups that are easy to read aloud. */
export function generatePassword(): string {
  const letters = Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
}

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, ARGON2ID)

/**
 * Whether the password matches the hash. Without a hash it takes as long and returns false, so that the duration does not
 * reveal whether a user exists.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  dummyHash ??= hashPassword(generatePassword())
  const matches = await Bun.password.verify(password, hash ?? (await dummyHash))
  return matches && hash !== undefined
}

let dummyHash: Promise<string> | undefined

/** Throws validation_failed for a password of the wrong length. */
export function checkPassword(password: string): void {
  const { min, max } = PASSWORD_LENGTH
  const length = countCharacters(password)
  if (length < min || length > max) throw invalidField('password', `must have ${min} to ${max} characters`)
}
