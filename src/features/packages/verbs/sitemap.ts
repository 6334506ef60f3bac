// All packages in parts of a bounded size, for sitemaps.
import type { Deps } from '../../../deps.ts'
import { countPackages, selectSkus } from '../queries/packages.ts'

/** Half of what the protocol allows. */
const SITEMAP_SIZE = 25_000

/** How many parts there are; none where packages are not offered. */
export async function countPackageParts({ read, config }: Deps): Promise<number> {
  return config.features.has('FEATURE_OFFER_PACKAGES') ? Math.ceil((await countPackages(read)) / SITEMAP_SIZE) : 0
}

/** The skus of the packages of a part; none beyond the last. */
export const listPackageSkus = ({ read, config }: Deps, part: number): Promise<string[]> =>
  config.features.has('FEATURE_OFFER_PACKAGES')
    ? selectSkus(read, { limit: SITEMAP_SIZE, offset: part * SITEMAP_SIZE })
    : Promise.resolve([])
