// The verification of pros: pros ask for it, and operators record what was checked or refuse. Search shows it at once, and
// the pro is told.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { pageOf } from '../../platform/schema/paging.ts'
import { type OperatorId, recordAction } from '../audit/verbs.ts'
import { addNotice } from '../notices/verbs.ts'
import {
  countRequests,
  deleteRequest,
  findMarksForUpdate,
  findVerification,
  refuseRequest,
  saveMarks,
  saveRequest,
  selectProsToCheck,
} from './queries.ts'
import type { CheckedPro, Marks, NewVerificationRequest, VerificationQuery, VerificationState } from './schemas.ts'

/** What was checked of a pro, and the pro's request. Throws professional_not_found. */
export async function getVerification(
  { write }: Pick<Deps, 'write'>,
  { professionalId }: { professionalId: string },
): Promise<VerificationState> {
  const found = await findVerification(write, professionalId)
  if (!found) throw proNotFound()
  return found
}

/**
 * Asks operators to verify the pro. A request that waits is changed and keeps its place; after a refusal a new one begins.
 * Throws invalid_transition for a verified pro, professional_not_found, and validation_failed unless license number and
 * state come together.
 */
export const askForVerification = (
  deps: Pick<Deps, 'write' | 'clock'>,
  { professionalId }: { professionalId: string },
  input: NewVerificationRequest,
): Promise<void> =>
  deps.write.begin('askForVerification', async (tx) => {
    if ((input.licenseNumber === undefined) !== (input.licenseState === undefined))
      throw invalidField('licenseState', 'enter the number and the state of the license, or neither')
    const found = await findMarksForUpdate(tx, professionalId)
    if (!found) throw proNotFound()
    if (found.verified) throw new AppError('invalid_transition', 'Your business is verified already.')
    await saveRequest(tx, professionalId, input, deps.clock.now())
  })

/** The number of requests that wait. */
export const countVerificationRequests = ({ write }: Pick<Deps, 'write'>): Promise<number> => countRequests(write)

/** Active pros by verification: those who are not verified, unless the query says otherwise. */
export async function findProsToCheck(
  { write }: Pick<Deps, 'write'>,
  { q = '', show = 'unverified', ...page }: VerificationQuery,
): Promise<{ pros: CheckedPro[]; total: number }> {
  const verified = show === 'all' ? null : show === 'verified'
  const filter = { q: q.trim(), verified, asked: show === 'asked' }
  const pros = await selectProsToCheck(write, { ...filter, ...pageOf(page) })
  return { pros, total: pros[0]?.total ?? 0 }
}

/** Throws professional_not_found. */
export async function getProToCheck({ write }: Pick<Deps, 'write'>, id: string): Promise<CheckedPro> {
  const [pro] = await selectProsToCheck(write, { id, q: '', verified: null, asked: false, limit: 1, offset: 0 })
  if (!pro) throw proNotFound()
  return pro
}

/**
 * Sets what was checked of a pro, with the reason in the audit log and in a notice to the pro. Verifying ends the pro's
 * request. Returns whether anything changed. Throws professional_not_found.
 */
export const setMarks = (
  deps: Deps,
  { professionalId, marks, reason, by }: { professionalId: string; marks: Marks; reason: string; by: OperatorId },
): Promise<boolean> =>
  deps.write.begin('setMarks', async (tx) => {
    const found = await findMarksForUpdate(tx, professionalId)
    if (!found) throw proNotFound()
    const { accountId, ...before } = found
    if (marks.verified) await deleteRequest(tx, professionalId)
    if (Bun.deepEquals(before, marks)) return false
    await saveMarks(tx, professionalId, marks, deps.clock.now())
    const details = { before, after: marks }
    const action = 'pro.verification'
    await recordAction(deps, tx, { action, subjectId: professionalId, professionalId, by, reason, details })
    await addNotice(deps, tx, accountId, { kind: 'verification_changed', data: { ...marks, reason } })
    return true
  })

/**
 * Refuses a pro's request, with the reason in the audit log and in a notice to the pro, who may ask again. Throws
 * invalid_transition without a request that waits, and professional_not_found.
 */
export const refuseVerification = (
  deps: Deps,
  { professionalId, reason, by }: { professionalId: string; reason: string; by: OperatorId },
): Promise<void> =>
  deps.write.begin('refuseVerification', async (tx) => {
    const found = await findMarksForUpdate(tx, professionalId)
    if (!found) throw proNotFound()
    if (!(await refuseRequest(tx, professionalId, reason, deps.clock.now())))
      throw new AppError('invalid_transition', 'No request of this pro waits for an answer.')
    const { accountId, ...after } = found
    const [action, details] = ['pro.verification', { refused: true, after }] as const
    await recordAction(deps, tx, { action, subjectId: professionalId, professionalId, by, reason, details })
    await addNotice(deps, tx, accountId, { kind: 'verification_refused', data: { reason } })
  })

const proNotFound = () => new AppError('professional_not_found', 'No active pro has this id.')
