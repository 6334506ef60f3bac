// Previews and applies changes: the preview makes the change in a savepoint and rolls it back; applying it must have the
// same effect, or nothing changes.
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

import type { TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { differencesBetween, isEqual } from '../differences.ts'
import { EDITORS, type EditedPro, type Editor } from './editors.ts'
import type { Difference, Proposal, ProposalKind } from '../schemas.ts'

export interface Change {
  kind: ProposalKind
  targetId: string
  change: object
}

const checks = new WeakMap<Editor, TypeCheck<Editor['change']>>()

/** Throws validation_failed for a change that the editor of this kind does not accept. */
export function checkChange({ kind, change }: Pick<Change, 'kind' | 'change'>): void {
  const { [kind]: editor } = EDITORS
  const check = checks.get(editor) ?? TypeCompiler.Compile(editor.change)
  checks.set(editor, check)
  if (!check.Check(change)) throw invalidField('body.change', `must match the schema of ${kind}`)
}

/** The differences that the change would make. Throws the errors of its verb, and has no effect. */
export async function previewChange(ctx: TxCtx<EditedPro>, { kind, targetId, change }: Change): Promise<Difference[]> {
  const { [kind]: editor } = EDITORS
  const before = await editor.read(ctx, targetId)
  const after = await rolledBack(ctx, async (ctx) => {
    await editor.apply(ctx, targetId, change)
    return await editor.read(ctx, targetId)
  })
  return differencesBetween(before, after)
}

/** Makes the change if it still has the effect that the proposal shows. Otherwise changes nothing and returns the reason. */
export async function applyExactly(
  ctx: TxCtx<EditedPro>,
  { kind, targetId, change, differences }: Change & { differences: readonly Difference[] },
): Promise<Proposal['conflict']> {
  const { [kind]: editor } = EDITORS
  try {
    const current = await editor.read(ctx, targetId)
    const changed = differences.filter(({ field, before }) => !isEqual(current[field], before))
    if (changed.length > 0)
      return { reason: 'The content has changed since the proposal.', fields: changed.map(({ field }) => field) }
    await ctx.savepoint(async (ctx) => {
      await editor.apply(ctx, targetId, change)
      const actual = differencesBetween(current, await editor.read(ctx, targetId))
      if (!isEqual(actual, differences)) throw new Deviation(actual.map(({ field }) => field))
    })
    return null
  } catch (error) {
    if (error instanceof Deviation)
      return { reason: 'The change would have another effect than the proposal shows.', fields: error.fields }
    if (error instanceof AppError && error.status < 500) return { reason: error.detail, fields: [] }
    throw error
  }
}

class Deviation extends Error {
  override readonly name = 'Deviation'

  constructor(readonly fields: string[]) {
    super('The change has another effect than the proposal shows.')
  }
}

/** Carries a result out of a savepoint that is rolled back. */
class RolledBack<T> extends Error {
  override readonly name = 'RolledBack'

  constructor(readonly result: T) {
    super('The savepoint is rolled back.')
  }
}

/** Runs the work in a savepoint, rolls it back, and returns its result. */
async function rolledBack<T>(ctx: TxCtx<EditedPro>, work: (ctx: TxCtx<EditedPro>) => Promise<T>): Promise<T> {
  try {
    return await ctx.savepoint(async (ctx): Promise<never> => {
      throw new RolledBack(await work(ctx))
    })
  } catch (error) {
    if (error instanceof RolledBack) return (error as RolledBack<T>).result
    throw error
  }
}
