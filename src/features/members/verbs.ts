// A pro's team: who there is to give bookings to.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { IdempotencyContext } from '../../idempotency/context.ts'
import { releaseAssignmentsOf } from '../bookings/verbs/assignments.ts'
import { runIdempotently } from '../../idempotency/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../platform/schema/paging.ts'
import type { MemberAdded, MemberList, NewMember } from './schemas.ts'
import { insertMember, listMembers, lockMember, removeMemberRow } from './queries.ts'

/** The pro whose team it is, and the account that asks. */
export interface TeamOwner {
  accountId: string
  professionalId: string
}

/** A page of the active members, the newest first. */
export async function listTeam({ read }: Deps, { professionalId }: TeamOwner, query: PageQuery): Promise<MemberList> {
  const { members, total } = await listMembers(read, professionalId, pageOf(query))
  return { members, meta: pageMeta(total, query) }
}

/** Adds a member. Throws member_exists for an e-mail address that is on the team already. */
export async function addMember(
  deps: Deps,
  owner: TeamOwner,
  wish: NewMember,
  once?: IdempotencyContext,
): Promise<MemberAdded> {
  const { accountId, professionalId } = owner
  const { name, email, role = 'crew' } = wish
  return await runIdempotently(deps, once, { accountId, operation: 'addMember', request: wish }, async (tx) => {
    const member = { id: deps.ids.uuid(), professionalId, name, email, role, now: deps.clock.now() }
    const added = await insertMember(tx, member)
    if (!added) throw new AppError('member_exists', 'A member of your team has this e-mail address.')
    return { success: true, member: added }
  })
}

/** Removes a member; bookings still to come are nobody's again. Throws member_not_found. */
export async function removeMember({ write, clock }: Deps, { professionalId }: TeamOwner, id: string): Promise<void> {
  await write.begin('removeMember', async (tx) => {
    if (!(await removeMemberRow(tx, professionalId, id, clock.now())))
      throw new AppError('member_not_found', 'No active member of your team has this id.')
    await releaseAssignmentsOf(tx, professionalId, id)
  })
}

/** Whether the pro has this active member; they stay so until the transaction ends. */
export const lockActiveMember = (tx: Transaction, professionalId: string, id: string): Promise<boolean> =>
  lockMember(tx, professionalId, id)
