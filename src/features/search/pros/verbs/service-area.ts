// Whether a pro comes to an address, and who else does.
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { getCatalogNames } from '../../../catalog/services/verbs/names.ts'
import { displayNameOf } from '../../../catalog/services/verbs/known-place.ts'
import { type PostalAddress, locateAddress } from '../../../catalog/services/verbs/places.ts'
import { distanceText, exactText } from '../../../../platform/text/distance.ts'
import { findServiceArea } from '../queries/pros.sql.ts'
import { type SearchQuery, searchPros } from '../queries/search.ts'
import type { Professional } from '../schemas.ts'

/** A pro who comes to an address that another pro does not come to. */
export type NearestPro = Pick<Professional, 'id' | 'slug' | 'businessName' | 'distance' | 'profileUrl'>

const NEAREST = 3
/** In miles. Few pros travel farther. */
const SEARCHED = 100

/**
 * Throws outside_service_area, with the nearest pros of the service who come, for an address outside the pro's own service
 * radius. An address of an unknown place counts as inside.
 */
export async function requireServiceArea(
  ctx: Ctx,
  input: { professionalId: string; serviceId?: string | null | undefined; address?: PostalAddress | null | undefined },
): Promise<void> {
  const { professionalId, serviceId, address } = input
  const place = address && (await locateAddress(ctx, { address }))
  if (!place?.coordinates) return
  const { latitude, longitude } = place.coordinates
  const area = await findServiceArea(ctx, { professionalId, latitude, longitude })
  if (area?.containsPlace !== false) return
  const { region } = await getCatalogNames(ctx)
  const nearest = await findNearest(ctx, { serviceId, point: { lat: latitude, lng: longitude } })
  const names = nearest
    .map(({ businessName, distance }) => `${businessName} (${exactText(region, distance ?? 0)})`)
    .join(', ')
  throw new AppError(
    'outside_service_area',
    [
      `${area.businessName} travels up to ${distanceText(region, area.radiusMiles)} and does not come to ${displayNameOf(place)}.`,
      nearest.length > 0 ? `The nearest pros who come: ${names}.` : 'Search for a pro who comes there.',
    ].join(' '),
    { extensions: { nearest } },
  )
}

async function findNearest(
  ctx: Ctx,
  { serviceId, point }: { serviceId?: string | null | undefined; point: SearchQuery['point'] },
): Promise<NearestPro[]> {
  const { services } = await getCatalogNames(ctx)
  const facet = services.find(({ id }) => id === serviceId)?.ordinal
  if (facet === undefined) return []
  const { professionals } = await searchPros(ctx, {
    facet,
    point,
    radiusMiles: SEARCHED,
    onlyInServiceArea: true,
    limit: NEAREST,
    offset: 0,
    baseUrl: ctx.config.baseUrl,
  })
  // SQL builds the JSON after the schema of this type.
  return (JSON.parse(professionals) as Professional[]).map(({ id, slug, businessName, distance, profileUrl }) => ({
    id,
    slug,
    businessName,
    distance,
    profileUrl,
  }))
}
