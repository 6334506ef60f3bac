// The verification of pros by operators: what was checked shows in search at once, and the pro is told.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { pageOf } from '../../platform/schema/paging.ts'
import { type OperatorId, recordAction } from '../audit/verbs.ts'
import { addNotice } from '../notices/verbs.ts'
import { findMarksForUpdate, saveMarks, selectProsToCheck } from './queries.ts'
import type { CheckedPro, Marks, VerificationQuery } from './schemas.ts'

/** Active pros by verification: those who are not verified, unless the query says otherwise. */
export async function findProsToCheck(
  { write }: Pick<Deps, 'write'>,
  { q = '', show = 'unverified', ...page }: VerificationQuery,
): Promise<{ pros: CheckedPro[]; total: number }> {
  const verified = show === 'all' ? null : show === 'verified'
  const pros = await selectProsToCheck(write, { q: q.trim(), verified, ...pageOf(page) })
  return { pros, total: pros[0]?.total ?? 0 }
}

/** Throws professional_not_found. */
export async function getProToCheck({ write }: Pick<Deps, 'write'>, id: string): Promise<CheckedPro> {
  const [pro] = await selectProsToCheck(write, { id, q: '', verified: null, limit: 1, offset: 0 })
  if (!pro) throw new AppError('professional_not_found', 'No active pro has this id.')
  return pro
}

/**
 * Sets what was checked of a pro, with the reason in the audit log and in a notice to the pro. Returns whether anything
 * changed. Throws professional_not_found.
 */
export const setMarks = (
  deps: Deps,
  { professionalId, marks, reason, by }: { professionalId: string; marks: Marks; reason: string; by: OperatorId },
): Promise<boolean> =>
  deps.write.begin('setMarks', async (tx) => {
    const found = await findMarksForUpdate(tx, professionalId)
    if (!found) throw new AppError('professional_not_found', 'No active pro has this id.')
    const { accountId, ...before } = found
    if (Bun.deepEquals(before, marks)) return false
    await saveMarks(tx, professionalId, marks, deps.clock.now())
    const details = { before, after: marks }
    const action = 'pro.verification'
    await recordAction(deps, tx, { action, subjectId: professionalId, professionalId, by, reason, details })
    await addNotice(deps, tx, accountId, { kind: 'verification_changed', data: { ...marks, reason } })
    return true
  })
