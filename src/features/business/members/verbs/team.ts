// A pro's team: the people that bookings can be assigned to.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { releaseAssignments } from '../../../booking/bookings/verbs/transitions.ts'
import { removeCalendarsOfMember } from '../../../calendar/imported-calendars/verbs/calendars.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import type { MemberAdded, MemberList, NewMember } from '../schemas.ts'
import { selectMembers, lockMember, deactivateMember } from '../queries.ts'
import { insertMember } from '../queries.sql.ts'
import { type TeamOwner, memberNotFound } from './find-member.ts'
import { endLoginOfMember } from './logins.ts'

/** One page of the active members, newest first. */
export async function listTeam(ctx: Ctx<TeamOwner>, query: PageQuery): Promise<MemberList> {
  const { members, total } = await selectMembers(ctx, { ...pageOf(query), professionalId: ctx.actor.professionalId })
  return { members, meta: pageMeta(total, query) }
}

/** Adds a member. Throws member_exists when a member already has the e-mail address. */
export async function addMember(ctx: Ctx<TeamOwner>, input: NewMember): Promise<MemberAdded> {
  const { accountId, professionalId } = ctx.actor
  const { name, email, role = 'crew' } = input
  return await runIdempotently(ctx, { accountId, operation: 'addMember', request: input }, async (ctx) => {
    const member = { id: ctx.ids.uuid(), professionalId, name, email, role, now: ctx.clock.now() }
    const added = await insertMember(ctx, member)
    if (!added) throw new AppError('member_exists', 'A member of your team already has this e-mail address.')
    return { success: true, member: added }
  })
}

/**
 * Removes a member with their calendars and their log-in, and unassigns their upcoming bookings. Throws member_not_found, and for the
 * log-in what {@link endLoginOfMember} throws.
 */
export async function removeMember(ctx: Ctx<TeamOwner>, { id }: { id: string }): Promise<void> {
  await ctx.transaction('removeMember', async (ctx) => {
    if (!(await deactivateMember(ctx, { professionalId: ctx.actor.professionalId, id, now: ctx.clock.now() })))
      throw memberNotFound()
    await releaseAssignments(ctx, { professionalId: ctx.actor.professionalId, memberId: id })
    await endLoginOfMember(ctx, {
      professionalId: ctx.actor.professionalId,
      memberId: id,
      by: ctx.actor.userId ?? null,
    })
    await removeCalendarsOfMember(ctx, { professionalId: ctx.actor.professionalId, memberId: id })
  })
}

/** Returns whether the pro has this active member, who then stays active until the transaction ends. */
export const lockActiveMember = (
  ctx: TxCtx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<boolean> => lockMember(ctx, { professionalId, id })
