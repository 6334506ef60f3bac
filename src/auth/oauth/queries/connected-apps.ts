// The apps that people have connected, in the database.
import type { Scope } from '../../scopes.ts'
import type { ResourceName } from '../resources.ts'
import type { ClientRow } from './clients.ts'
import type { Ctx } from '../../../ctx.ts'

/** One grant that is in force, with its app. */
export type GrantRow = Omit<ClientRow, 'id'> & {
  keyId: string
  clientId: string
  resource: ResourceName
  scopes: Scope[]
  createdAt: string
  lastUsedAt: string | null
}

/** The account's grants in force, the latest used first. */
export async function selectGrants(
  ctx: Ctx,
  { accountId, now }: { accountId: string; now: Date },
): Promise<GrantRow[]> {
  return await ctx.write.run<GrantRow>(
    'selectOAuthGrants',
    (sql) => sql`
      select k.id as key_id, g.client_id, g.resource, k.scopes, k.created_at, k.last_used_at,
        c.name, c.redirect_uris, c.uri
      from api_keys k join oauth_grants g on g.key_id = k.id join oauth_clients c on c.id = g.client_id
      where k.account_id = ${accountId} and k.is_grant and k.revoked_at is null and k.expires_at > ${now.toISOString()}
      order by coalesce(k.last_used_at, k.created_at) desc, k.id`,
  )
}
