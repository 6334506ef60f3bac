// Team members in the database. Every statement reads active members only.
import type { Member } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export async function selectMembers(
  ctx: Ctx,
  { professionalId, limit, offset }: { professionalId: string; limit: number; offset: number },
): Promise<{ members: Member[]; total: number }> {
  const rows = await ctx.read.run<{ members: Member[]; total: number }>(
    'selectMembers',
    (sql) => sql`
      select
        (select count(*)::int from members where professional_id = ${professionalId} and active) as total,
        (select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'email', m.email, 'role', m.role,
            'createdAt', iso_instant(m.created_at)) order by m.created_at desc, m.id desc), '[]')
          from (
            select * from members where professional_id = ${professionalId} and active
            order by created_at desc, id desc limit ${limit} offset ${offset}
          ) m) as members`,
  )
  return rows[0] ?? { members: [], total: 0 }
}

/** Inserts a member. Returns undefined when an active member already has the e-mail address. */
export async function insertMember(
  ctx: TxCtx,
  member: { id: string; professionalId: string; name: string; email: string; role: string; now: Date },
): Promise<Member | undefined> {
  const rows = await ctx.tx.run<Member>(
    'insertMember',
    (sql) => sql`
      insert into members (id, professional_id, name, email, role, created_at)
      values (${member.id}, ${member.professionalId}, ${member.name}, ${member.email}, ${member.role},
        ${member.now.toISOString()})
      on conflict (professional_id, email) where active do nothing
      returning id, name, email, role, created_at`,
  )
  return rows[0]
}

/** Returns whether the pro has this active member, and locks the row until the transaction ends. */
export async function lockMember(
  ctx: TxCtx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'lockMember',
    (sql) => sql`
      select id from members where professional_id = ${professionalId} and id = ${id} and active for share`,
  )
  return rows.length === 1
}

/** Returns false when the pro has no such active member. */
export async function deactivateMember(
  ctx: TxCtx,
  { professionalId, id, now }: { professionalId: string; id: string; now: Date },
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'deactivateMember',
    (sql) => sql`
      update members set active = false, removed_at = ${now.toISOString()}
      where professional_id = ${professionalId} and id = ${id} and active returning id`,
  )
  return rows.length === 1
}
