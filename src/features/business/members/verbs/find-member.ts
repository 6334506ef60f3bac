// Who owns a team, and one member of it.
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { findMember } from '../queries.sql.ts'
import type { Member } from '../schemas.ts'

/** The pro who owns the team, and the calling account. */
export interface TeamOwner {
  accountId: string
  professionalId: string
  /** The person who is logged in; a key has none. */
  userId?: string
}

/** An active member. Throws member_not_found. */
export async function getMember(ctx: Ctx<TeamOwner>, { id }: { id: string }): Promise<Member> {
  const member = await findMember(ctx, { professionalId: ctx.actor.professionalId, id })
  if (!member) throw memberNotFound()
  return member
}

/** The same for a member who was removed and another pro's. */
export const memberNotFound = () => new AppError('member_not_found', 'No active member of your team has this id.')
