// The second factor of a log-in: set up with an app on a phone, proven by its codes or by a recovery code, removed.
import { randomBytes } from 'node:crypto'

import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { ALPHABET } from '../passwords.ts'
import {
  countFactors as selectCounts,
  deleteSecondFactor,
  findSecondFactor,
  insertSecondFactor,
  updateRecoveryCodes,
  useRecoveryCode,
  useStep,
} from '../queries/second-factors.sql.ts'
import { deleteOtherSessionsOf } from '../queries/sessions.sql.ts'
import { lockUser } from '../queries/users.ts'
import type { ActorId, UserAction } from '../schemas.ts'
import { hashToken } from '../tokens.ts'
import { SECRET_BYTES, base32Of, isTotpCode, stepOfCode } from '../rules/totp.ts'
import { noUserWithEmail, recordChange } from './changes.ts'
import { isCorrectPassword } from './sessions.ts'

const PURPOSE = 'second factor'
const RECOVERY_CODES = 10
/** 50 bits, which cannot be checked without HEARTH_SECRET. */
const RECOVERY_LETTERS = 10
/** How long the page with the QR code works. */
const SETUP_MINUTES = 30
const MINUTE_MS = 60_000

/** A user who is logged in. */
interface Person {
  userId: string
  email: string
}

export interface SecondFactor {
  createdAt: string
  /** The recovery codes that were not used. */
  codesLeft: number
}

/** What a message tells of a factor. */
export type FactorChange = Extract<
  UserAction,
  'factor_set_up' | 'factor_removed' | 'recovery_codes_made' | 'recovery_code_used'
>

/** Plans the message about a change, in its transaction. */
export type PlanFactorMessage = (
  ctx: TxCtx,
  input: { email: string; change: FactorChange; isByOther: boolean; codesLeft: number },
) => Promise<unknown>

/** The user's factor, if they have set one up. */
export async function findFactor(ctx: Ctx, { userId }: { userId: string }): Promise<SecondFactor | undefined> {
  const found = await findSecondFactor(ctx, { userId })
  return found && { createdAt: found.createdAt, codesLeft: found.codesLeft }
}

/** How many operators can log in, and how many of them have no factor. */
export const countFactors = async (ctx: Ctx): Promise<{ operators: number; without: number }> =>
  (await selectCounts(ctx)) ?? { operators: 0, without: 0 }

const setupPurpose = (token: string) => `set-up of a second factor in session ${token}`

/**
 * A new secret, and the text that carries it through the page to {@link setUpFactor}: nothing is stored before a code proves that
 * the app has it. Throws validation_failed for a wrong password.
 */
export async function beginSetup(
  ctx: Ctx,
  { email, token, password }: Person & { token: string; password: string },
): Promise<{ secret: string; setup: string }> {
  await requirePassword(ctx, { email, password })
  const secret = base32Of(randomBytes(SECRET_BYTES))
  const until = new Date(ctx.clock.now().getTime() + SETUP_MINUTES * MINUTE_MS)
  return { secret, setup: ctx.encryption.encrypt(setupPurpose(token), secret, until) }
}

/** The secret of a page that is shown again; undefined after {@link SETUP_MINUTES} and in another session. */
export function secretOfSetup(ctx: Ctx, { token, setup }: { token: string; setup: string }): string | undefined {
  const secret = ctx.encryption.decrypt(setupPurpose(token), setup, ctx.clock.now())
  return typeof secret === 'string' ? secret : undefined
}

/**
 * Sets the factor up and ends the user's other sessions. Returns the recovery codes, which are shown only once. Throws validation_failed
 * for a wrong code, and invalid_transition for a user who has a factor, and for a page that was open for too long.
 */
export async function setUpFactor(
  ctx: Ctx,
  input: Person & { token: string; setup: string; code: string; planMessage: PlanFactorMessage },
): Promise<string[]> {
  const { userId, email, token } = input
  const secret = secretOfSetup(ctx, input)
  if (secret === undefined)
    throw new AppError(
      'invalid_transition',
      'The page was open for too long. Begin again, and remove the entry from your app.',
    )
  const now = ctx.clock.now()
  const code = plainCode(input.code)
  const step = isTotpCode(code) ? stepOfCode(secret, { code, now, lastStep: 0 }) : undefined
  if (step === undefined)
    throw invalidField('code', 'is not the code that the app shows now. Check that the clock of your phone is right')
  const codes = newRecoveryCodes()
  await ctx.transaction('setUpFactor', async (ctx) => {
    // A log-in that goes on without a factor is seen below, and one that begins later sees the factor.
    await lockUser(ctx, { email })
    const recoveryDigests = digestsOf(ctx, { userId, codes })
    const secretEncrypted = ctx.encryption.encrypt(PURPOSE, secret)
    if (!(await insertSecondFactor(ctx, { userId, secretEncrypted, step, recoveryDigests, now })))
      throw new AppError(
        'invalid_transition',
        'You have a second factor already. Remove it first to set up another one.',
      )
    await deleteOtherSessionsOf(ctx, { userId, tokenHash: hashToken(token) })
    await tell(ctx, input, { change: 'factor_set_up', codesLeft: codes.length })
  })
  return codes
}

/** Replaces all recovery codes, and returns the new ones. Throws validation_failed for a wrong password or code. */
export async function makeRecoveryCodes(ctx: Ctx, input: Proof): Promise<string[]> {
  await requirePassword(ctx, input)
  const codes = newRecoveryCodes()
  await ctx.transaction('makeRecoveryCodes', async (ctx) => {
    await requireFactor(ctx, input)
    await updateRecoveryCodes(ctx, { userId: input.userId, recoveryDigests: digestsOf(ctx, { ...input, codes }) })
    await tell(ctx, input, { change: 'recovery_codes_made', codesLeft: codes.length })
  })
  return codes
}

/** A user who proves again that they are the one who logged in. */
type Proof = Person & { password: string; code: string; planMessage: PlanFactorMessage }

/** Removes the user's own factor. Throws validation_failed for a wrong password or code. */
export async function removeOwnFactor(ctx: Ctx, input: Proof): Promise<void> {
  await requirePassword(ctx, input)
  await ctx.transaction('removeOwnFactor', async (ctx) => {
    await requireFactor(ctx, input)
    await deleteSecondFactor(ctx, input)
    await tell(ctx, input, { change: 'factor_removed', codesLeft: 0 })
  })
}

/**
 * Removes the factor of a user who has lost phone and codes. Returns false when they had none. Throws user_not_found, and not_yourself for
 * one's own.
 */
export const removeFactor = (
  ctx: Ctx,
  { email, by, planMessage }: { email: string; by: ActorId; planMessage: PlanFactorMessage },
): Promise<boolean> =>
  ctx.transaction('removeFactor', async (ctx) => {
    const userId = await lockUser(ctx, { email })
    if (userId === undefined) throw noUserWithEmail()
    if (userId === by) throw new AppError('not_yourself', 'Remove your own second factor on the page “Your account”.')
    if (!(await deleteSecondFactor(ctx, { userId }))) return false
    await recordChange(ctx, { userId, action: 'factor_removed', by })
    await planMessage(ctx, { email, change: 'factor_removed', isByOther: true, codesLeft: 0 })
    return true
  })

/**
 * Whether the text is a code of the user's app that was not used yet, or one of their recovery codes, which it uses up. Each proves the
 * factor once, also when it is sent twice at the same moment.
 */
export async function proveFactor(
  ctx: TxCtx,
  { userId, code: typed, ...person }: Person & { code: string; planMessage: PlanFactorMessage },
): Promise<boolean> {
  const code = plainCode(typed)
  const now = ctx.clock.now()
  if (isTotpCode(code)) {
    const stored = await findSecondFactor(ctx, { userId })
    const secret = stored && ctx.encryption.decrypt(PURPOSE, stored.secretEncrypted, now)
    if (!stored || typeof secret !== 'string') return false
    const step = stepOfCode(secret, { code, now, lastStep: stored.lastStep })
    return step !== undefined && (await useStep(ctx, { userId, step, ...stored })) !== undefined
  }
  const used = await useRecoveryCode(ctx, { userId, digest: digestOf(ctx, { userId, code }) })
  if (!used) return false
  await tell(ctx, { userId, ...person }, { change: 'recovery_code_used', codesLeft: used.codesLeft })
  return true
}

async function requireFactor(ctx: TxCtx, input: Proof): Promise<void> {
  if (!(await proveFactor(ctx, input))) throw invalidField('code', WRONG_CODE)
}

/** Of a field with a code. */
const WRONG_CODE = 'is wrong or was used before. Wait for the next code of your app, or type a recovery code'

async function requirePassword(ctx: Ctx, input: { email: string; password: string }): Promise<void> {
  if (!(await isCorrectPassword(ctx, input))) throw invalidField('password', 'is not your password')
}

/** Writes the audit log and the message about what a user did. */
async function tell(
  ctx: TxCtx,
  { userId, email, planMessage }: Person & { planMessage: PlanFactorMessage },
  { change, codesLeft }: { change: FactorChange; codesLeft: number },
): Promise<void> {
  await recordChange(ctx, { userId, action: change, by: userId })
  await planMessage(ctx, { email, change, isByOther: false, codesLeft })
}

/** What people type, without spaces and dashes. */
const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase()

/** Such as "k7mnp-x3q9d". */
const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(RECOVERY_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
      .replace(/^.{5}/, '$&-'),
  )

const digestOf = (ctx: Ctx, { userId, code }: { userId: string; code: string }): string =>
  ctx.encryption.digest('recovery code', `${userId} ${code}`)

const digestsOf = (ctx: Ctx, { userId, codes }: { userId: string; codes: readonly string[] }): string[] =>
  codes.map((code) => digestOf(ctx, { userId, code: plainCode(code) }))
