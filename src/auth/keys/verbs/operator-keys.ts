// Keys of operators: programs that run the marketplace as a person in the console does.
import type { Ctx } from '../../../ctx.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { ensureAccount } from '../../accounts/verbs.ts'
import { isPlatformScope } from '../../scopes.ts'
import { findOperator } from '../queries/keys.sql.ts'
import { type CreatedKey, type NewKey, createKey } from './keys.ts'

/**
 * Creates a key as {@link createKey} does, for an operator. It works as long as the operator may log in. Throws validation_failed for
 * other scopes beside those of operators, for test mode, and for an owner who is no operator or whose address has an account of another
 * kind.
 */
export const createOperatorKey = (ctx: Ctx, input: NewKey): Promise<CreatedKey> =>
  ctx.transaction('createOperatorKey', async (ctx) => {
    if (!input.scopes.every(isPlatformScope))
      throw invalidField('scopes', 'must be those of an operator alone: create another key for the others')
    if (input.mode === 'test') throw invalidField('mode', 'must be live: operators have no test mode')
    if (!(await findOperator(ctx, { email: input.ownerEmail })))
      throw invalidField('owner', 'must be the address with which an operator logs in: the key acts for them')
    const owner = await ensureAccount(ctx, { email: input.ownerEmail, kind: 'operator' })
    if (owner.kind !== 'operator')
      throw invalidField('owner', 'has an account of another kind already: create the key for another operator')
    return await createKey(ctx, input)
  })
