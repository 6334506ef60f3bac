// Links for choosing a password, in the database.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './password-links.sql.ts'

export interface LinkRow {
  userId: string
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
}

/** Creates the user's link, which replaces the previous one. */
export async function upsertLink(ctx: TxCtx, { userId, tokenHash, createdAt, expiresAt }: LinkRow): Promise<void> {
  await statements.upsertLink(ctx, { userId, tokenHash, createdAt, expiresAt })
}

/** The user's link, which may have expired. */
export async function findLinkOf(
  ctx: TxCtx,
  { userId }: { userId: string },
): Promise<{ tokenHash: Buffer; createdAt: string; expiresAt: string } | undefined> {
  return await statements.findLinkOf(ctx, { userId })
}

/** The user of a link; undefined when the link has expired or the user is disabled. */
export async function findLink(
  ctx: Ctx,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<{ userId: string; email: string } | undefined> {
  return await statements.findLink(ctx, { tokenHash, now })
}

export async function deleteLinkOf(ctx: TxCtx, { userId }: { userId: string }): Promise<void> {
  await statements.deleteLinkOf(ctx, { userId })
}
