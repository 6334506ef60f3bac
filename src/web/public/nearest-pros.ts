// After an address that the pro does not come to: links to the same page of the nearest pros who do.
import type { AppError } from '../../errors/app-error.ts'
import type { NearestPro } from '../../features/search/pros/verbs/service-area.ts'

/** Links to `page` of each pro, such as `book?service=…`. */
export const waysToNearest =
  (page: string) =>
  ({ code, extensions }: AppError): { href: string; label: string }[] => {
    if (code !== 'outside_service_area') return []
    // As requireServiceArea puts them in.
    const nearest = extensions?.['nearest'] as readonly NearestPro[]
    return nearest.map(({ slug, businessName }) => ({ href: `/pros/${slug}/${page}`, label: businessName }))
  }
