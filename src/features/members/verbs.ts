// A pro's team: the people that bookings can be assigned to.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { IdempotencyContext, IdempotentResult } from '../../idempotency/context.ts'
import { releaseAssignments } from '../bookings/verbs/transitions.ts'
import { removeCalendarsOfMember } from '../imported-calendars/verbs/calendars.ts'
import { runIdempotently } from '../../idempotency/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../platform/schema/paging.ts'
import type { MemberAdded, MemberList, NewMember } from './schemas.ts'
import { insertMember, selectMembers, lockMember, deactivateMember } from './queries.ts'

/** The pro who owns the team, and the calling account. */
export interface TeamOwner {
  accountId: string
  professionalId: string
}

/** One page of the active members, newest first. */
export async function listTeam({ read }: Deps, { professionalId }: TeamOwner, query: PageQuery): Promise<MemberList> {
  const { members, total } = await selectMembers(read, professionalId, pageOf(query))
  return { members, meta: pageMeta(total, query) }
}

/** Adds a member. Throws member_exists when a member already has the e-mail address. */
export async function addMember(
  deps: Deps,
  owner: TeamOwner,
  input: NewMember,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<MemberAdded>> {
  const { accountId, professionalId } = owner
  const { name, email, role = 'crew' } = input
  return await runIdempotently(deps, idempotency, { accountId, operation: 'addMember', request: input }, async (tx) => {
    const member = { id: deps.ids.uuid(), professionalId, name, email, role, now: deps.clock.now() }
    const added = await insertMember(tx, member)
    if (!added) throw new AppError('member_exists', 'A member of your team already has this e-mail address.')
    return { success: true, member: added }
  })
}

/** Removes a member with their calendars, and unassigns their upcoming bookings. Throws member_not_found. */
export async function removeMember(deps: Deps, { professionalId }: TeamOwner, id: string): Promise<void> {
  await deps.write.begin('removeMember', async (tx) => {
    if (!(await deactivateMember(tx, professionalId, id, deps.clock.now())))
      throw new AppError('member_not_found', 'No active member of your team has this id.')
    await releaseAssignments(tx, professionalId, id)
    await removeCalendarsOfMember(deps, tx, professionalId, id)
  })
}

/** Returns whether the pro has this active member, who then stays active until the transaction ends. */
export const lockActiveMember = (tx: Transaction, professionalId: string, id: string): Promise<boolean> =>
  lockMember(tx, professionalId, id)
