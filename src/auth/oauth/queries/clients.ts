// Apps in the database.
import type { Ctx } from '../../../ctx.ts'
import * as statements from './clients.sql.ts'

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

/** Stores what an app's document says, as of `now`. */
export async function saveDocument(
  ctx: Ctx,
  { id, name, redirectUris, uri, use, now }: { use: DocumentUse; now: Date } & ClientRow,
) {
  const at = now.toISOString()
  await statements.saveOAuthDocument(ctx, {
    id,
    name,
    redirectUris,
    uri,
    at,
    freshSeconds: use.freshSeconds,
    staleSeconds: use.staleSeconds,
    etag: use.etag,
  })
}
