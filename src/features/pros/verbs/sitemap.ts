// All pros in parts of a bounded size, for sitemaps.
import type { Deps } from '../../../deps.ts'
import { findLastSlot, selectSlugs } from '../queries/slugs.ts'

/** Half of what the protocol allows, so that a part stays under 4 MB. */
export const SITEMAP_SIZE = 25_000

/** How many parts there are. */
export async function countSitemaps({ read }: Deps): Promise<number> {
  return Math.ceil((await findLastSlot(read)) / SITEMAP_SIZE)
}

/** The slugs of the pros of a part; none beyond the last. A part is a range of slots, so it costs the same wherever it lies. */
export const listSlugs = ({ read }: Deps, part: number): Promise<string[]> =>
  selectSlugs(read, part * SITEMAP_SIZE + 1, (part + 1) * SITEMAP_SIZE)
