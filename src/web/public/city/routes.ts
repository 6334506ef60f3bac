// /{services}/{city}: a service in a city, such as /plumbers/austin-tx.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import type { CityRow, ServiceRow } from '../../../features/catalog/services/verbs/city-services.ts'
import { listServices } from '../../../features/catalog/services/verbs/catalog.ts'
import {
  type CityServiceTerms,
  listNearbyCities,
  readCityService,
} from '../../../features/catalog/services/verbs/city-services.ts'
import { getCatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { getPricing } from '../../../features/catalog/pricing/verbs.ts'
import { findNarrowedPros } from '../../../features/search/pros/verbs/search.ts'
import { publicPage } from '../../../auth/access.ts'
import { isBrowser } from '../../../http/accept.ts'
import { guard } from '../../../http/guard.ts'
import { unknownPath } from '../../../http/problem.ts'
import { pathOf } from '../../../http/request-target.ts'
import { pictureSources } from '../../ui/pictures.tsx'
import { renderPublicPage } from '../../ui/responses.tsx'
import { siteOf } from '../../ui/site.tsx'
import { isServed } from '../../../features/upkeep/marketplace/rules/area.ts'
import { findCardDetails } from '../search/card-details.ts'
import { cityPath } from '../trails.ts'
import { cityServicePage, unknownPage } from './view.tsx'

const MAX_PROS = 10
const MAX_NEIGHBOURS = 12

export const cityPages = (deps: Deps) =>
  new Elysia({ name: 'city-pages' }).use(guard(deps)).get(
    '/:services/:city',
    async function getCityPage({ ctx, request, params }) {
      const terms = await readCityService(ctx, { serviceText: params.services, placeText: params.city })
      const { service, city } = terms
      if (!service || !city) return elsewhere(request, terms)
      const path = cityPath(service, city)
      if (pathOf(request.url) !== path) return redirectTo(path, 308)
      return await renderCityPage(ctx, request, service, city)
    },
    { access: publicPage, caching: 'public' },
  )

async function renderCityPage(ctx: Ctx, request: Request, service: ServiceRow, city: CityRow): Promise<Response> {
  const displayName = `${city.name}, ${city.state}`
  const { area } = siteOf(request)
  const [found, { pricing }, { services }, nearby, { allCities, categories }] = await Promise.all([
    findNarrowedPros(ctx, {
      query: { service: service.id, place: displayName, inServiceArea: true, limit: MAX_PROS },
      narrowing: {},
    }),
    getPricing(ctx, { service: service.id, city: city.name, state: city.state }),
    listServices(ctx, { city: city.name, state: city.state }),
    listNearbyCities(ctx, { service, city, area, limit: MAX_NEIGHBOURS }),
    getCatalogNames(ctx),
  ])
  const details = await findCardDetails(ctx, { pros: found.professionals, serviceId: service.id })
  const others = services
    .filter(({ id, professionalCount }) => id !== service.id && professionalCount > 0)
    .toSorted(
      (one, other) =>
        Number(other.category.id === service.categoryId) - Number(one.category.id === service.categoryId) ||
        other.professionalCount - one.professionalCount,
    )
    .slice(0, MAX_NEIGHBOURS)
  const category = categories.find(({ id }) => id === service.categoryId)?.name ?? ''
  const page = cityServicePage(
    {
      service,
      city,
      category,
      found,
      pricing,
      others,
      nearby,
      ...details,
      cities: allCities,
      isServed: isServed(area, city),
    },
    ctx.config.baseUrl,
  )
  return renderPublicPage(request, page, { 'form-action': "'self'", ...pictureSources(ctx.config) })
}

/**
 * The response where there is no page: a category, or a place that is not a city, leads to the search. An address with an
 * unknown service or place shows suggestions.
 */
function elsewhere(request: Request, terms: CityServiceTerms): Response {
  const { service, categoryName, city, placeName, similar } = terms
  const subject = service?.name ?? categoryName
  const place = city ? `${city.name}, ${city.state}` : placeName
  if (subject !== undefined && place !== undefined)
    return redirectTo(`/?${new URLSearchParams({ service: subject, place }).toString()}`, 303)
  const isHalfKnown = (subject !== undefined && similar.cities.length > 0) || city !== undefined
  if (!isHalfKnown || !isBrowser(request)) throw unknownPath(request)
  return unknownPage(request, terms)
}

const redirectTo = (location: string, status: 303 | 308): Response =>
  new Response(null, { status, headers: { location } })
