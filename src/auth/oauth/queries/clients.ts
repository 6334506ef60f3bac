// Apps in the database.
import type { Runner } from '../../../platform/postgres/database.ts'

export interface ClientRow {
  id: string
  name: string
  redirectUris: string[]
  uri: string | null
  /** When its metadata document was read; null for a registered app. */
  readAt: string | null
}

export async function findClient(db: Runner, id: string): Promise<ClientRow | undefined> {
  const [row] = await db.run<ClientRow>(
    'findOAuthClient',
    (sql) => sql`select id, name, redirect_uris, uri, read_at from oauth_clients where id = ${id}`,
  )
  return row
}

/** Inserts the app, or updates what its document says. */
export async function upsertClient(db: Runner, client: Omit<ClientRow, 'readAt'> & { readAt: Date | null; now: Date }) {
  const { id, name, redirectUris, uri } = client
  const readAt = client.readAt?.toISOString() ?? null
  await db.run(
    'upsertOAuthClient',
    (sql) => sql`
      insert into oauth_clients (id, name, redirect_uris, uri, created_at, read_at, used_at)
      values (${id}, ${name}, ${redirectUris}, ${uri}, ${client.now.toISOString()}, ${readAt}, ${client.now.toISOString()})
      on conflict (id) do update set (name, redirect_uris, uri, read_at) =
        (excluded.name, excluded.redirect_uris, excluded.uri, excluded.read_at)`,
  )
}
