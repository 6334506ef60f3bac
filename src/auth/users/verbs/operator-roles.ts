// The roles of operators: given by an administrator, or at a terminal.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { announceKeyChange } from '../../keys/verbs/keys.ts'
import type { OperatorRole } from '../rules/operator-roles.ts'
import { lockAdministrators } from '../queries/users.ts'
import { lockOperatorRole, updateOperatorRole } from '../queries/users.sql.ts'
import type { ActorId } from '../schemas.ts'
import { noUserWithEmail, recordChange } from './changes.ts'

/**
 * Gives an operator another role. It counts from the next request of each of their sessions on, and with their keys. Returns false when they had it. At
 * least one administrator remains: throws last_operator, not_yourself, user_not_found, and invalid_transition for other users.
 */
export const giveOperatorRole = (
  ctx: Ctx,
  { email, operatorRole, by = null }: { email: string; operatorRole: OperatorRole; by?: ActorId },
): Promise<boolean> =>
  ctx.transaction('giveOperatorRole', async (ctx) => {
    const administrators = await lockAdministrators(ctx)
    const user = await lockOperatorRole(ctx, { email })
    if (!user) throw noUserWithEmail()
    if (user.role !== 'operator') throw new AppError('invalid_transition', 'Only operators have one of these roles.')
    if (user.operatorRole === operatorRole) return false
    if (user.id === by)
      throw new AppError('not_yourself', 'You cannot change your own role. Ask another administrator to do it.')
    keepAdministrator(administrators, user.id)
    await updateOperatorRole(ctx, { id: user.id, operatorRole })
    // The operator's keys act by the role, in every process.
    await announceKeyChange(ctx)
    await recordChange(ctx, { userId: user.id, action: 'role_given', operatorRole, by })
    return true
  })

/** Throws last_operator when the user is the only one of the locked administrators. */
export function keepAdministrator(administrators: readonly string[], id: string | undefined): void {
  if (administrators.length === 1 && administrators[0] === id)
    throw new AppError(
      'last_operator',
      'This is the last administrator who can log in. Create or enable another one first.',
    )
}
