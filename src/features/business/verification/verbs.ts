// The verification of pros: pros ask for it, and operators record what was checked or refuse. Search shows it at once, and
// the pro is told. A change of what was checked withdraws its mark and asks again: sql/functions/checked_marks.sql.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { pageOf } from '../../../platform/schema/paging.ts'
import { type OperatorId, recordAction } from '../../upkeep/audit/verbs.ts'
import { planMessage } from '../../messages/messages/verbs/plan-message.ts'
import { addNotice } from '../../messages/notices/verbs.ts'
import { countRequests, findVerification, refuseRequest, saveMarks, selectProsToCheck } from './queries.ts'
import {
  deleteMark,
  deleteRequest,
  findDeclared,
  findMarksForUpdate,
  hasRequest,
  insertEvidence,
  planEndOfMark,
  saveRequest,
  selectDueMarks,
  selectEvidence,
  selectProsWithDueMarks,
} from './queries.sql.ts'
import {
  MARK_NAMES,
  type CheckedPro,
  type Declared,
  type Evidence,
  type Mark,
  type Marks,
  type NewVerificationRequest,
  type VerificationQuery,
  type VerificationState,
} from './schemas.ts'

/** What was checked of a pro, and the pro's request. Throws professional_not_found. */
export async function getVerification(ctx: Ctx<{ professionalId: string }>): Promise<VerificationState> {
  const found = await findVerification(ctx, { professionalId: ctx.actor.professionalId })
  if (!found) throw proNotFound()
  return found
}

/**
 * Asks operators to verify the pro. A request that waits is changed and keeps its place; after a refusal a new one begins.
 * Throws invalid_transition for a verified pro who has lost no mark, professional_not_found, and validation_failed unless license number and
 * state come together.
 */
export const askForVerification = (
  ctx: Ctx<{ professionalId: string }>,
  input: NewVerificationRequest,
): Promise<void> =>
  ctx.transaction('askForVerification', async (ctx) => {
    if ((input.licenseNumber === undefined) !== (input.licenseState === undefined))
      throw invalidField('licenseState', 'enter the number and the state of the license, or neither')
    const found = await findMarksForUpdate(ctx, { id: ctx.actor.professionalId })
    if (!found) throw proNotFound()
    const { professionalId } = ctx.actor
    if (found.verified && (await hasRequest(ctx, { professionalId })).length === 0)
      throw new AppError('invalid_transition', 'Your business is verified already.')
    await saveRequest(ctx, { ...input, professionalId, now: ctx.clock.now() })
  })

/** The number of requests that wait. */
export const countVerificationRequests = (ctx: Ctx): Promise<number> => countRequests(ctx)

/** Pros by verification: those who are not verified, unless the query says otherwise. */
export async function findProsToCheck(
  ctx: Ctx,
  { q = '', show = 'unverified', ...page }: VerificationQuery,
): Promise<{ pros: CheckedPro[]; total: number }> {
  const verified = ['all', 'paused', 'closed'].includes(show) ? null : show === 'verified'
  const closed = show === 'all' ? null : show === 'closed'
  const filter = { q: q.trim(), verified, asked: show === 'asked', paused: show === 'paused', closed }
  const pros = await selectProsToCheck(ctx, { ...filter, ...pageOf(page) })
  return { pros, total: pros[0]?.total ?? 0 }
}

/** Throws professional_not_found. */
export async function getProToCheck(ctx: Ctx, { id }: { id: string }): Promise<CheckedPro> {
  const [pro] = await selectProsToCheck(ctx, {
    id,
    q: '',
    verified: null,
    asked: false,
    paused: false,
    closed: null,
    limit: 1,
    offset: 0,
  })
  if (!pro) throw proNotFound()
  return pro
}

/** What the operator checks as one text, which tells whether it has changed since. */
export const seenText = ({ businessName, licenseNumber, licenseState, insuranceCarrier }: Declared): string =>
  JSON.stringify([businessName, licenseNumber, licenseState, insuranceCarrier])

interface NewMarks {
  professionalId: string
  marks: Marks
  reason: string
  by: OperatorId
  /** Of marks that are not set, evidence says nothing. Undefined keeps that of the marks that stay. */
  evidence?: readonly Evidence[] | undefined
  /** {@link seenText} of what the operator saw; undefined outside of pages. */
  seen?: string | undefined
}

/** What the marks of the pro rest on, of those that are set and have evidence or an end. */
export async function listEvidence(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<Evidence[]> {
  const [found, pro] = await Promise.all([
    selectEvidence(ctx, { professionalId }),
    findVerification(ctx, { professionalId }),
  ])
  // A mark that the pro has lost by a change leaves its row until the next check.
  return found.filter(({ mark }) => pro?.[mark] === true)
}

/**
 * Sets what was checked of a pro and on what it rests, with the reason in the audit log and in a notice to the pro. Verifying ends the
 * pro's request. Returns whether anything changed. Throws professional_not_found, invalid_transition when the pro has changed what
 * was seen, and validation_failed for a last day that has passed.
 */
export const setMarks = (ctx: Ctx, { professionalId, marks, evidence, reason, by, seen }: NewMarks): Promise<boolean> =>
  ctx.transaction('setMarks', async (ctx) => {
    const found = await findMarksForUpdate(ctx, { id: professionalId })
    if (!found) throw proNotFound()
    const declared = await findDeclared(ctx, { id: professionalId })
    if (seen !== undefined && declared && seen !== seenText(declared))
      throw new AppError(
        'invalid_transition',
        'The pro has changed the name, license or insurer meanwhile. Look again.',
      )
    const { accountId, ...before } = found
    if (marks.verified) await deleteRequest(ctx, { professionalId })
    const isOtherEvidence = await saveEvidence(ctx, { professionalId, before, marks, evidence })
    if (Bun.deepEquals(before, marks) && !isOtherEvidence) return false
    await saveMarks(ctx, { id: professionalId, marks, now: ctx.clock.now() })
    const details = { before, after: marks, evidence: evidence?.filter(({ mark }) => marks[mark]) }
    const action = 'pro.verification'
    await recordAction(ctx, { action, subjectId: professionalId, professionalId, by, reason, details })
    await addNotice(ctx, { kind: 'verification_changed', data: { ...marks, reason }, accountId })
    return true
  })

/** How long before its end the pro is warned of it. */
const WARNED_DAYS = 30

interface NewEvidence extends Pick<NewMarks, 'professionalId' | 'marks' | 'evidence'> {
  before: Marks
}

/** Keeps the evidence of the marks that are set. Returns whether it differs from what was kept. A row that stays warns of its end once. */
async function saveEvidence(ctx: TxCtx, { professionalId, before, marks, evidence }: NewEvidence): Promise<boolean> {
  const stored = await selectEvidence(ctx, { professionalId })
  // A mark that the pro has lost by a change leaves its row, which says nothing of the mark that is set anew.
  const kept = stored.filter(({ mark }) => before[mark])
  const next = (evidence ?? kept).filter(
    ({ mark, evidence, validUntil }) => marks[mark] && (evidence !== null || validUntil !== null),
  )
  const staying = kept.filter((row) => isAmong(next, row))
  const added = next.filter((row) => !isAmong(staying, row))
  for (const row of stored) if (!isAmong(staying, row)) await deleteMark(ctx, { professionalId, mark: row.mark })
  const now = ctx.clock.now()
  for (const row of added) {
    const inserted = await insertEvidence(ctx, { ...row, professionalId, warnedDays: WARNED_DAYS, now })
    if (inserted.length === 0)
      throw invalidField(`${row.mark}Until`, 'has passed: enter the last day on which it holds')
  }
  return added.length > 0 || staying.length < kept.length
}

const isAmong = (rows: readonly Evidence[], row: Evidence): boolean => rows.some((one) => Bun.deepEquals(one, row))

/**
 * Warns pros of marks that end within 30 days, and withdraws those whose last day has passed: search shows it at once, the pro is told,
 * and the audit log has it. Returns how many were due, at most `limit`.
 */
export async function endDueMarks(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  const now = ctx.clock.now()
  const due = await selectProsWithDueMarks(ctx, { now, limit })
  for (const professionalId of new Set(due.map(({ id }) => id)))
    await ctx.transaction('endDueMarks', async (ctx) => {
      const found = await findMarksForUpdate(ctx, { id: professionalId })
      const ending = await selectDueMarks(ctx, { professionalId, now })
      for (const row of ending) {
        if (!found?.[row.mark]) await deleteMark(ctx, { professionalId, mark: row.mark })
        else await warnOrWithdraw(ctx, { ...row, professionalId, accountId: found.accountId, now })
      }
    })
  return due.length
}

interface EndingMark {
  professionalId: string
  accountId: string
  mark: Mark
  validUntil: string
  endsAt: string
  businessName: string
  email: string
  now: Date
}

async function warnOrWithdraw(ctx: TxCtx, ending: EndingMark): Promise<void> {
  const { professionalId, accountId, mark, validUntil, endsAt, businessName, email, now } = ending
  const name = MARK_NAMES[mark]
  const isExpired = now.getTime() >= Date.parse(endsAt)
  if (isExpired) {
    const found = await findMarksForUpdate(ctx, { id: professionalId })
    if (!found) return
    const { accountId: _, ...before } = found
    const after = { ...before, [mark]: false }
    await saveMarks(ctx, { id: professionalId, marks: after, now })
    await deleteMark(ctx, { professionalId, mark })
    const details = { mark, validUntil, before, after }
    await recordAction(ctx, { action: 'mark.expired', subjectId: professionalId, professionalId, by: null, details })
  } else await planEndOfMark(ctx, { professionalId, mark, endsAt })
  await addNotice(ctx, { kind: 'mark_ends', data: { mark: name, validUntil, isExpired }, accountId })
  await planMessage(ctx, {
    kind: 'mark-ends',
    to: email,
    key: `mark-ends:${ctx.ids.uuid()}`,
    professionalId,
    data: {
      pro: businessName,
      mark: name,
      validUntil,
      isExpired,
      consoleUrl: `${ctx.config.baseUrl}/console/my-verification`,
    },
  })
}

/**
 * Refuses a pro's request, with the reason in the audit log and in a notice to the pro, who may ask again. Throws
 * invalid_transition without a request that waits, and professional_not_found.
 */
export const refuseVerification = (
  ctx: Ctx,
  { professionalId, reason, by }: { professionalId: string; reason: string; by: OperatorId },
): Promise<void> =>
  ctx.transaction('refuseVerification', async (ctx) => {
    const found = await findMarksForUpdate(ctx, { id: professionalId })
    if (!found) throw proNotFound()
    if (!(await refuseRequest(ctx, { professionalId, reason, now: ctx.clock.now() })))
      throw new AppError('invalid_transition', 'No request of this pro waits for an answer.')
    const { accountId, ...after } = found
    const [action, details] = ['pro.verification', { refused: true, after }] as const
    await recordAction(ctx, { action, subjectId: professionalId, professionalId, by, reason, details })
    await addNotice(ctx, { kind: 'verification_refused', data: { reason }, accountId })
  })

const proNotFound = () => new AppError('professional_not_found', 'No pro has this id.')
