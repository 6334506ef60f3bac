// Public reads of single pros: detail, public profile, sitemaps.
import { type Viewer, testAccountOf } from '../../../auth/caller.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { idOrSlug } from '../../../platform/schema/id-or-slug.ts'
import { detailAsBookable } from './online-offers.ts'
import { findLastSlot, findProfessionalDetail, findPublicProfile, selectSlugs } from '../queries/pros.ts'

/** A pro as JSON text (ProfessionalDetail). Throws professional_not_found. */
export async function getPro(deps: Deps, viewer: Viewer, pro: string): Promise<string> {
  const body = await findProfessionalDetail(deps.replicas, idOrSlug(pro), testAccountOf(viewer))
  if (body === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return detailAsBookable(deps, viewer, body)
}

/** The data of a pro's public page as JSON text (PublicProfile). Throws professional_not_found. */
export async function getPublicProfile(deps: Deps, viewer: Viewer, pro: string): Promise<string> {
  const { replicas, config } = deps
  const key = idOrSlug(pro)
  const testAccountId = testAccountOf(viewer)
  const [detail, extra] = await Promise.all([
    findProfessionalDetail(replicas, key, testAccountId),
    findPublicProfile(replicas, key, config.baseUrl, testAccountId),
  ])
  if (detail === undefined || extra === undefined)
    throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return detailAsBookable(deps, viewer, `${detail.slice(0, -1)},${extra.slice(1)}`)
}

/** Half of what the sitemap protocol allows, which keeps a sitemap under 4 MB. */
const SITEMAP_SIZE = 25_000

/** The number of sitemaps. */
export async function countSitemaps({ replicas }: Deps): Promise<number> {
  return Math.ceil((await findLastSlot(replicas)) / SITEMAP_SIZE)
}

/** The pro slugs of one sitemap; empty past the last one. A sitemap is a range of slots, so each costs the same. */
export const listSlugs = ({ replicas }: Deps, part: number): Promise<string[]> =>
  selectSlugs(replicas, part * SITEMAP_SIZE + 1, (part + 1) * SITEMAP_SIZE)
