// Apps in the database.
import type { Ctx } from '../../../ctx.ts'

export interface ClientRow {
  id: string
  name: string
  redirectUris: string[]
  uri: string | null
}

/** How long what was read of a metadata document may be used. */
export interface DocumentUse {
  /** Without reading it again. */
  freshSeconds: number
  /** Since it was read, while it cannot be read. */
  staleSeconds: number
  /** Its version; sent when it is read again. */
  etag: string | null
}

/** `readAt`: when its metadata document was read; null for a registered app. */
type KnownClient = ClientRow & DocumentUse & { readAt: string | null }

export async function findClient(ctx: Ctx, { id }: { id: string }): Promise<KnownClient | undefined> {
  const [row] = await ctx.read.run<KnownClient>(
    'findOAuthClient',
    (sql) => sql`
      select id, name, redirect_uris, uri, read_at, fresh_seconds, stale_seconds, etag from oauth_clients where id = ${id}`,
  )
  return row
}

/** Inserts a registered app. */
export async function insertClient(ctx: Ctx, { id, name, redirectUris, uri, now }: { now: Date } & ClientRow) {
  await ctx.write.run(
    'insertOAuthClient',
    (sql) => sql`
      insert into oauth_clients (id, name, redirect_uris, uri, created_at, used_at)
      values (${id}, ${name}, ${redirectUris}, ${uri}, ${now.toISOString()}, ${now.toISOString()})`,
  )
}

/** Stores what an app's document says, as of `now`. */
export async function saveDocument(
  ctx: Ctx,
  { id, name, redirectUris, uri, use, now }: { use: DocumentUse; now: Date } & ClientRow,
) {
  const at = now.toISOString()
  await ctx.write.run(
    'saveOAuthDocument',
    (sql) => sql`
      insert into oauth_clients
        (id, name, redirect_uris, uri, created_at, read_at, used_at, fresh_seconds, stale_seconds, etag)
      values (${id}, ${name}, ${redirectUris}, ${uri}, ${at}, ${at}, ${at}, ${use.freshSeconds}, ${use.staleSeconds}, ${use.etag})
      on conflict (id) do update set (name, redirect_uris, uri, read_at, fresh_seconds, stale_seconds, etag) =
        (excluded.name, excluded.redirect_uris, excluded.uri, excluded.read_at, excluded.fresh_seconds,
          excluded.stale_seconds, excluded.etag)`,
  )
}
