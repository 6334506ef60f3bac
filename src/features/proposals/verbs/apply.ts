// Changes tried and made: a proposal shows what its change does by doing it and taking it back, and is applied to exactly
// that or not at all.
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { differencesBetween, isSame } from '../differences.ts'
import { EDITORS, type EditedPro, type Editor } from './editors.ts'
import type { Difference, Proposal, ProposalKind } from '../schemas.ts'

/** A change of what one editor edits. */
export interface Change {
  kind: ProposalKind
  targetId: string
  change: object
}

const checks = new WeakMap<Editor, TypeCheck<Editor['change']>>()

/** Throws validation_failed for anything that the editor of this kind does not take. */
export function checkChange({ kind, change }: Pick<Change, 'kind' | 'change'>): void {
  const { [kind]: editor } = EDITORS
  const check = checks.get(editor) ?? TypeCompiler.Compile(editor.change)
  checks.set(editor, check)
  if (!check.Check(change)) throw invalidField('body.change', `must be what the editor of ${kind} takes`)
}

/** What the change would do. Throws what its verb throws, and leaves nothing behind. */
export async function rehearse(deps: Deps, tx: Transaction, pro: EditedPro, wish: Change): Promise<Difference[]> {
  const { kind, targetId, change } = wish
  const { [kind]: editor } = EDITORS
  const before = await editor.read({ deps, tx, pro, targetId })
  const after = await undone(tx, async (trial) => {
    await editor.apply({ deps, tx: trial, pro, targetId }, change)
    return await editor.read({ deps, tx: trial, pro, targetId })
  })
  return differencesBetween(before, after)
}

/**
 * Makes the change if it still does what was shown; otherwise changes nothing and says why.
 */
export async function applyExactly(
  deps: Deps,
  tx: Transaction,
  pro: EditedPro,
  { kind, targetId, change, differences }: Change & { differences: readonly Difference[] },
): Promise<Proposal['conflict']> {
  const { [kind]: editor } = EDITORS
  try {
    const current = await editor.read({ deps, tx, pro, targetId })
    const changed = differences.filter(({ field, before }) => !isSame(current[field], before))
    if (changed.length > 0)
      return { reason: 'What it edits has been changed since.', fields: changed.map(({ field }) => field) }
    await tx.savepoint(async (trial) => {
      await editor.apply({ deps, tx: trial, pro, targetId }, change)
      const made = differencesBetween(current, await editor.read({ deps, tx: trial, pro, targetId }))
      if (!isSame(made, differences)) throw new Deviation(made.map(({ field }) => field))
    })
    return null
  } catch (error) {
    if (error instanceof Deviation)
      return { reason: 'It would do something else than was shown.', fields: error.fields }
    if (error instanceof AppError && error.status < 500) return { reason: error.detail, fields: [] }
    throw error
  }
}

class Deviation extends Error {
  override readonly name = 'Deviation'

  constructor(readonly fields: string[]) {
    super('The change does something else than was shown.')
  }
}

/** Carries the result of what is taken back. */
class Undone<T> extends Error {
  override readonly name = 'Undone'

  constructor(readonly result: T) {
    super('This was only tried.')
  }
}

/** Does the work and takes it back, all but its result. */
async function undone<T>(tx: Transaction, work: (trial: Transaction) => Promise<T>): Promise<T> {
  try {
    return await tx.savepoint(async (trial): Promise<never> => {
      throw new Undone(await work(trial))
    })
  } catch (error) {
    if (error instanceof Undone) return (error as Undone<T>).result
    throw error
  }
}
