// The apps that people have connected, in the database.
import type { Scope } from '../../scopes.ts'
import type { ResourceName } from '../resources.ts'
import type { ClientRow } from './clients.ts'
import type { Ctx } from '../../../ctx.ts'
import * as statements from './connected-apps.sql.ts'

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
  return await statements.selectOAuthGrants<Pick<GrantRow, 'scopes'>>(ctx, { accountId, now })
}
