// Members in the database. Only active ones are seen.
import type { Runner } from '../../platform/postgres/database.ts'
import type { Member } from './schemas.ts'

export async function listMembers(
  db: Runner,
  professionalId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ members: Member[]; total: number }> {
  const rows = await db.run<{ members: Member[]; total: number }>(
    'listMembers',
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

/** Adds the member; undefined when an active one has the e-mail address already. */
export async function insertMember(
  tx: Runner,
  member: { id: string; professionalId: string; name: string; email: string; role: string; now: Date },
): Promise<Member | undefined> {
  const rows = await tx.run<Member>(
    'insertMember',
    (sql) => sql`
      insert into members (id, professional_id, name, email, role, created_at)
      values (${member.id}, ${member.professionalId}, ${member.name}, ${member.email}, ${member.role},
        ${member.now.toISOString()})
      on conflict (professional_id, lower(email)) where active do nothing
      returning id, name, email, role, created_at`,
  )
  return rows[0]
}

/** Whether the pro has this active member, who stays so until the transaction ends. */
export async function lockMember(tx: Runner, professionalId: string, id: string): Promise<boolean> {
  const rows = await tx.run(
    'lockMember',
    (sql) => sql`
      select id from members where professional_id = ${professionalId} and id = ${id} and active for share`,
  )
  return rows.length === 1
}

/** Whether there was such an active member to remove. */
export async function removeMemberRow(tx: Runner, professionalId: string, id: string, now: Date): Promise<boolean> {
  const rows = await tx.run(
    'removeMember',
    (sql) => sql`
      update members set active = false, removed_at = ${now.toISOString()}
      where professional_id = ${professionalId} and id = ${id} and active returning id`,
  )
  return rows.length === 1
}
