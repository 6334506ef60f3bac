// Customers sign in with a one-time code that is sent to their address and works in the browser that asked for it.
import { randomInt, timingSafeEqual } from 'node:crypto'

import { startCustomerSession } from '../../../../auth/customers/verbs.ts'
import { hashToken } from '../../../../auth/users/tokens.ts'
import type { Ctx } from '../../../../ctx.ts'
import { planMessage } from '../../../messages/messages/verbs/plan-message.ts'
import { type SentCode, countTry, upsertCode } from '../queries/codes.ts'
import { deleteCode, findCode, lockCode } from '../queries/codes.sql.ts'

/** How long a code is valid. */
export const CODE_MINUTES = 10
const CODE_DIGITS = 8
/** With the limits of codes per address, at most 600 guesses an hour among 100 million codes. */
const TRIES = 5

/** The path of the page on which a code is entered. */
export const CODE_PATH = '/my/sign-in/code'

interface SignInRequest {
  /** In its normal form. */
  email: string
  /** The secret of the browser's cookie. */
  browser: string
  /** The path of the page to open afterwards. */
  returnTo: string
  /** False when the address was sent too many codes: then the browser keeps a code that it has for the address. */
  mayBeSent: boolean
}

/**
 * Sends a code to the address, if it may be sent one; the answer is the same. Whether a customer has the address is not looked up here, so neither the answer nor its time can
 * tell.
 */
export async function requestCode(ctx: Ctx, { email, browser, returnTo, mayBeSent }: SignInRequest): Promise<void> {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + CODE_MINUTES * 60_000)
  const codeDigest = digestOfCode(ctx, { browser, email, code })
  const url = `${ctx.config.baseUrl}${CODE_PATH}?code=${code}`
  await ctx.transaction('requestCode', async (ctx) => {
    const row = { browserHash: hashToken(browser), email, codeDigest, tries: TRIES, returnTo, now, expiresAt }
    await upsertCode(ctx, { keepsValid: !mayBeSent, code: row })
    if (!mayBeSent) return
    await planMessage(ctx, {
      kind: 'sign-in',
      to: email,
      customerEmail: email,
      key: `sign-in:${ctx.ids.uuid()}`,
      data: { code: `${code.slice(0, 4)} ${code.slice(4)}`, url, validMinutes: CODE_MINUTES },
    })
  })
}

/** The browser's latest code that was not used: where it was sent, and where it leads. */
export const findSentCode = (ctx: Ctx, { browser }: { browser: string }): Promise<SentCode | undefined> =>
  findCode(ctx, { browserHash: hashToken(browser), now: ctx.clock.now() })

export type SignIn =
  | { outcome: 'signed_in'; token: string; email: string; returnTo: string }
  | { outcome: 'wrong_code'; triesLeft: number }
  /** The browser did not ask for a code, or its code was used, has expired or was guessed too often. */
  | { outcome: 'no_code' }

/** Uses the browser's code up and starts a session. A wrong one counts. */
export const signIn = (ctx: Ctx, { browser, code }: { browser: string; code: string }): Promise<SignIn> =>
  ctx.transaction('signIn', async (ctx): Promise<SignIn> => {
    const browserHash = hashToken(browser)
    const pending = await lockCode(ctx, { browserHash, now: ctx.clock.now() })
    if (!pending) return { outcome: 'no_code' }
    const { email, returnTo } = pending
    const given = digestOfCode(ctx, { browser, email, code: code.replace(/\D/g, '') })
    if (!timingSafeEqual(Buffer.from(given), Buffer.from(pending.codeDigest)))
      return { outcome: 'wrong_code', triesLeft: await countTry(ctx, { browserHash }) }
    await deleteCode(ctx, { browserHash })
    return { outcome: 'signed_in', token: await startCustomerSession(ctx, { email }), email, returnTo }
  })

const digestOfCode = (ctx: Ctx, { browser, email, code }: { browser: string; email: string; code: string }): string =>
  ctx.encryption.digest('sign-in code', `${browser} ${email} ${code}`)
