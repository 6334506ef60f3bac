// The secrets endpoints sign with: random, shown once, sealed at rest.
import { randomBytes } from 'node:crypto'

import type { Deps } from '../../deps.ts'
import type { Encryption } from '../../platform/crypto/encryption.ts'

const PURPOSE = 'webhook-secret'

/** How long both secrets sign after a rotation (design §8). */
export const OVERLAP_MS = 24 * 3_600_000

/** 192 random bits. */
export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`

export const sealSecret = (seal: Encryption, secret: string): string => seal.close(PURPOSE, secret)

/** Throws where HEARTH_SECRET is not the one that sealed it: without the secret nothing can be signed. */
export function openSecret({ encryption, clock }: Pick<Deps, 'encryption' | 'clock'>, sealed: string): string {
  const secret = encryption.open(PURPOSE, sealed, clock.now())
  if (typeof secret !== 'string') throw new Error('A webhook secret was sealed with another HEARTH_SECRET.')
  return secret
}
