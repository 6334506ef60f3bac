// SQL of sign-in codes.
import type { Ctx, TxCtx } from '../../../../ctx.ts'

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
  await ctx.tx.run(
    'upsertSignInCode',
    (sql) => sql`
      insert into sign_in_codes (browser_hash, email, code_digest, tries_left, return_to, created_at, expires_at)
      values (${code.browserHash}, ${code.email}, ${code.codeDigest}, ${code.tries}, ${code.returnTo},
        ${code.now.toISOString()}, ${code.expiresAt.toISOString()})
      on conflict (browser_hash) do update set (email, code_digest, tries_left, return_to, created_at, expires_at) =
        (excluded.email, excluded.code_digest, excluded.tries_left, excluded.return_to, excluded.created_at,
          excluded.expires_at)
      where not (${keepsValid} and sign_in_codes.email = excluded.email and sign_in_codes.tries_left > 0
        and sign_in_codes.expires_at > excluded.created_at)`,
  )
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
  const [row] = await ctx.write.run<SentCode>(
    'findSignInCode',
    (sql) => sql`
      select email, return_to, expires_at > ${now.toISOString()} and tries_left > 0 as is_valid from sign_in_codes
      where browser_hash = ${browserHash}`,
  )
  return row
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
  const [row] = await ctx.tx.run<LockedCode>(
    'lockSignInCode',
    (sql) => sql`
      select email, code_digest, return_to from sign_in_codes
      where browser_hash = ${browserHash} and expires_at > ${now.toISOString()} and tries_left > 0
      for update`,
  )
  return row
}

/** Counts a wrong try. Returns how many are left. */
export async function countTry(ctx: TxCtx, { browserHash }: { browserHash: Buffer }): Promise<number> {
  const [row] = await ctx.tx.run<{ triesLeft: number }>(
    'countSignInTry',
    (sql) => sql`
      update sign_in_codes set tries_left = tries_left - 1 where browser_hash = ${browserHash} returning tries_left`,
  )
  return row?.triesLeft ?? 0
}

export async function deleteCode(ctx: TxCtx, { browserHash }: { browserHash: Buffer }): Promise<void> {
  await ctx.tx.run('deleteSignInCode', (sql) => sql`delete from sign_in_codes where browser_hash = ${browserHash}`)
}
