// Keys of operators: programs that run the marketplace as a person in the console does.
import { ensureAccount } from '../../../auth/accounts/verbs.ts'
import {
  type CreatedKey,
  type NewKey,
  createKey,
  keyNotFound,
  revokeKey,
  rotateKey,
} from '../../../auth/keys/verbs/keys.ts'
import { type Scope, isPlatformScope } from '../../../auth/scopes.ts'
import type { OperatorRole } from '../../../auth/users/rules/operator-roles.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { type OperatorId, recordAction } from '../audit/verbs.ts'
import { findOperator, findOperatorKey, selectOperatorKeys } from './queries.sql.ts'

/** The operator who asks, with the role that says whose keys they see and end. */
export interface KeyHolder {
  readonly userId: string
  readonly operatorRole: OperatorRole | null
}

/**
 * Creates a key as {@link createKey} does, for an operator. It works as long as the operator may log in. Throws validation_failed for
 * other scopes beside those of operators, for test mode, and for an owner who is no operator or whose address has an account of another
 * kind.
 */
export const createOperatorKey = (
  ctx: Ctx,
  { by = null, ...input }: NewKey & { by?: OperatorId },
): Promise<CreatedKey> =>
  ctx.transaction('createOperatorKey', async (ctx) => {
    if (!input.scopes.every(isPlatformScope))
      throw invalidField('scopes', 'must be those of an operator alone: create another key for the others')
    if (input.mode === 'test') throw invalidField('mode', 'must be live: operators have no test mode')
    if (!(await findOperator(ctx, { email: input.ownerEmail })))
      throw invalidField('owner', 'must be the address with which an operator logs in: the key acts for them')
    const owner = await ensureAccount(ctx, { email: input.ownerEmail, kind: 'operator' })
    if (owner.kind !== 'operator')
      throw invalidField('owner', 'has an account of another kind already: create the key for another operator')
    const key = await createKey(ctx, input)
    await record(ctx, { action: 'key.created', id: key.id, by })
    return key
  })

/** The operator's own keys, or those of all operators for administrators, newest first and without their secrets. */
export const listOperatorKeys = (ctx: Ctx<KeyHolder>) =>
  selectOperatorKeys<{ scopes: Scope[] }>(ctx, { userId: isAdministrator(ctx.actor) ? null : ctx.actor.userId })

/** Revokes a key that {@link listOperatorKeys} shows. Throws key_not_found for any other, and for one that is revoked. */
export const revokeOperatorKey = (ctx: Ctx<KeyHolder>, { id }: { id: string }): Promise<void> =>
  ctx.transaction('revokeOperatorKey', async (ctx) => {
    const key = await findOperatorKey(ctx, { id })
    if (!key || (key.userId !== ctx.actor.userId && !isAdministrator(ctx.actor))) throw keyNotFound()
    await revokeAnyKey(ctx, { id, by: ctx.actor.userId })
  })

/** Revokes a key of any owner, as {@link revokeKey} does. That of an operator's program stands in the audit log. */
export const revokeAnyKey = (ctx: Ctx, { id, by = null }: { id: string; by?: OperatorId }): Promise<void> =>
  ctx.transaction('revokeAnyKey', async (ctx) => {
    await revokeKey(ctx, { id })
    await record(ctx, { action: 'key.revoked', id, by })
  })

/** Rotates a key of any owner, as {@link rotateKey} does. The successor for an operator's program stands in the audit log. */
export const rotateAnyKey = (
  ctx: Ctx,
  input: { id: string; overlapHours: number },
): Promise<Omit<CreatedKey, 'owner'>> =>
  ctx.transaction('rotateAnyKey', async (ctx) => {
    const successor = await rotateKey(ctx, input)
    await record(ctx, { action: 'key.created', id: successor.id, by: null })
    return successor
  })

const isAdministrator = ({ operatorRole }: KeyHolder): boolean => operatorRole === 'administrator'

async function record(
  ctx: TxCtx,
  { action, id, by }: { action: 'key.created' | 'key.revoked'; id: string; by: OperatorId },
): Promise<void> {
  const key = await findOperatorKey<{ scopes: Scope[] }>(ctx, { id })
  if (!key) return
  const { name, lastFour, scopes, owner } = key
  await recordAction(ctx, {
    action,
    subjectId: id,
    professionalId: null,
    by,
    details: { name, lastFour, scopes, owner },
  })
}
