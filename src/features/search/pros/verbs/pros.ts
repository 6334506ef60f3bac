// Public reads of single pros: detail, public profile, sitemaps.
import { type Viewer, testAccountOf } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { idOrSlug } from '../../../../platform/schema/id-or-slug.ts'
import { detailAsBookable } from './online-offers.ts'
import { findLastSlot, findProfessionalDetail, findPublicProfile, selectSlugs } from '../queries/pros.ts'

/** A pro as JSON text (ProfessionalDetail). Throws professional_not_found. */
export async function getPro(ctx: Ctx<Viewer>, { pro }: { pro: string }): Promise<string> {
  const body = await findProfessionalDetail(ctx, { ...idOrSlug(pro), testAccountId: testAccountOf(ctx.actor) })
  if (body === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return detailAsBookable(ctx, { body })
}

/** The data of a pro's public page as JSON text (PublicProfile). Throws professional_not_found. */
export async function getPublicProfile(ctx: Ctx<Viewer>, { pro }: { pro: string }): Promise<string> {
  const { config } = ctx
  const key = idOrSlug(pro)
  const testAccountId = testAccountOf(ctx.actor)
  const [detail, extra] = await Promise.all([
    findProfessionalDetail(ctx, { ...key, testAccountId }),
    findPublicProfile(ctx, { ...key, baseUrl: config.baseUrl, testAccountId }),
  ])
  if (detail === undefined || extra === undefined)
    throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return detailAsBookable(ctx, { body: `${detail.slice(0, -1)},${extra.slice(1)}` })
}

/** Half of what the sitemap protocol allows, which keeps a sitemap under 4 MB. */
const SITEMAP_SIZE = 25_000

/** The number of sitemaps. */
export async function countSitemaps(ctx: Ctx): Promise<number> {
  return Math.ceil((await findLastSlot(ctx)) / SITEMAP_SIZE)
}

/** The pro slugs of one sitemap; empty past the last one. A sitemap is a range of slots, so each costs the same. */
export const listSlugs = (ctx: Ctx, { part }: { part: number }): Promise<string[]> =>
  selectSlugs(ctx, { first: part * SITEMAP_SIZE + 1, last: (part + 1) * SITEMAP_SIZE })
