// The signing secrets of endpoints: random, shown once, encrypted at rest.
import { randomBytes } from 'node:crypto'

import type { Deps } from '../../deps.ts'
import type { Encryption } from '../../platform/crypto/encryption.ts'

const PURPOSE = 'webhook-secret'

/** How long both secrets sign after a rotation (design §8). */
export const OVERLAP_MS = 24 * 3_600_000

/** 192 random bits, in base64 as the libraries of Standard Webhooks read it. */
export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

export const encryptSecret = (encryption: Encryption, secret: string): string => encryption.encrypt(PURPOSE, secret)

/** Throws when HEARTH_SECRET is not the one that encrypted it: without the secret nothing can be signed. */
export function decryptSecret({ encryption, clock }: Deps, encrypted: string): string {
  const secret = encryption.decrypt(PURPOSE, encrypted, clock.now())
  if (typeof secret !== 'string') throw new Error('A webhook secret was encrypted with another HEARTH_SECRET.')
  return secret
}
