// SQL of sign-in codes.
import type { TxCtx } from '../../../../ctx.ts'
import * as statements from './codes.sql.ts'

interface NewCode {
  browserHash: Buffer
  email: string
  codeDigest: string
  tries: number
  returnTo: string
  now: Date
  expiresAt: Date
}

/** Stores the browser's code in place of an earlier one; with `keepsValid`, not in place of a valid one for the same address. */
export async function upsertCode(
  ctx: TxCtx,
  { code, keepsValid }: { code: NewCode; keepsValid: boolean },
): Promise<void> {
  await statements.upsertSignInCode(ctx, {
    browserHash: code.browserHash,
    email: code.email,
    codeDigest: code.codeDigest,
    tries: code.tries,
    returnTo: code.returnTo,
    now: code.now,
    expiresAt: code.expiresAt,
    keepsValid,
  })
}

export interface SentCode {
  /** The address to which it was sent. */
  email: string
  /** The path of the page to open afterwards. */
  returnTo: string
  /** It has neither expired nor was guessed too often. */
  isValid: boolean
}

/** Counts a wrong try. Returns how many are left. */
export async function countTry(ctx: TxCtx, { browserHash }: { browserHash: Buffer }): Promise<number> {
  const row = await statements.countSignInTry(ctx, { browserHash })
  return row?.triesLeft ?? 0
}
