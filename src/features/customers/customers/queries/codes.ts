// SQL of sign-in codes.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
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

/** The browser's latest code that was not used. */
export async function findCode(
  ctx: Ctx,
  { browserHash, now }: { browserHash: Buffer; now: Date },
): Promise<SentCode | undefined> {
  return await statements.findSignInCode(ctx, { now, browserHash })
}

interface LockedCode {
  email: string
  codeDigest: string
  returnTo: string
}

/** The browser's valid code, locked until the transaction ends. */
export async function lockCode(
  ctx: TxCtx,
  { browserHash, now }: { browserHash: Buffer; now: Date },
): Promise<LockedCode | undefined> {
  return await statements.lockSignInCode(ctx, { browserHash, now })
}

/** Counts a wrong try. Returns how many are left. */
export async function countTry(ctx: TxCtx, { browserHash }: { browserHash: Buffer }): Promise<number> {
  const row = await statements.countSignInTry(ctx, { browserHash })
  return row?.triesLeft ?? 0
}

export async function deleteCode(ctx: TxCtx, { browserHash }: { browserHash: Buffer }): Promise<void> {
  await statements.deleteSignInCode(ctx, { browserHash })
}
