// Reads of single pros, and of slugs for sitemaps.
import { statementFile } from '../../../../platform/postgres/statement-files.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './pros.sql.ts'

const professionalDetail = statementFile<{ body: string }>('professional-detail', 'mayLag')
const publicProfile = statementFile<{ body: string }>('public-profile', 'mayLag')

/** An active pro, or one of the account's test pros, by `id` or `slug`, as the JSON text of the response body. */
export async function findProfessionalDetail(
  ctx: Ctx,
  { id, slug, testAccountId }: { testAccountId: string | null; id: string | null; slug: string | null },
): Promise<string | undefined> {
  const rows = await professionalDetail.run(ctx.replicas, [id, slug, testAccountId])
  return rows[0]?.body
}

/** The additional fields of the public profile, as JSON text of one object. */
export async function findPublicProfile(
  ctx: Ctx,
  {
    id,
    slug,
    baseUrl,
    testAccountId,
  }: { baseUrl: string; testAccountId: string | null; id: string | null; slug: string | null },
): Promise<string | undefined> {
  const rows = await publicProfile.run(ctx.replicas, [id, slug, baseUrl, testAccountId])
  return rows[0]?.body
}

/** The highest search slot in use; 0 without pros. */
export async function findLastSlot(ctx: Ctx): Promise<number> {
  const row = await statements.findLastSlot(ctx)
  return row?.last ?? 0
}

/** The slugs of the pros in the search slots `first` to `last`. */
export async function selectSlugs(ctx: Ctx, { first, last }: { first: number; last: number }): Promise<string[]> {
  const rows = await statements.selectSlugs(ctx, { first, last })
  return rows.map(({ slug }) => slug)
}

/** Those of the pros who take a deposit for what is booked at once. */
export async function selectDepositTakers(ctx: Ctx, { ids }: { ids: readonly string[] }): Promise<string[]> {
  const rows = await statements.selectDepositTakers(ctx, { ids })
  return rows.map(({ id }) => id)
}
