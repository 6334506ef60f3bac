// /: the search for pros and its results.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { getCatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { getPricing } from '../../../features/catalog/pricing/verbs.ts'
import { type FoundPros, findNarrowedPros } from '../../../features/search/pros/verbs/search.ts'
import { publicPage } from '../../../auth/access.ts'
import { isCrawler, isPreview } from '../../../http/accept.ts'
import { readFields } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { pictureSources } from '../../ui/pictures.tsx'
import { renderPublicPage } from '../../ui/responses.tsx'
import { EMPTY_FORM } from '../../ui/form.tsx'
import { siteOf } from '../../ui/site.tsx'
import { type Search, SearchForm, isSearch, narrowingOf, prosQueryOf, searchIn } from './query.ts'
import { findCardDetails } from './card-details.ts'
import { homePage } from './home.tsx'
import { getOffered } from './offered.ts'
import { type Found, searchPage } from './view.tsx'

const SOURCES = { 'form-action': "'self'", 'script-src': "'self'", 'connect-src': "'self'" }

export const homePages = (deps: Deps) =>
  new Elysia({ name: 'home-pages' }).use(guard(deps)).get(
    '/',
    async function getHomePage({ ctx, request }) {
      const query = queryOf(request.url)
      const [search, read] = [searchIn(query), readFields(SearchForm, query)]
      const formState = read.ok ? EMPTY_FORM : { values: query, errors: read.errors }
      const { categories, pros } = await getOffered(ctx)
      const { allCities } = await getCatalogNames(ctx)
      const { area } = siteOf(request)
      const context = { baseUrl: ctx.config.baseUrl, formState, categories, cities: allCities, area }
      const page = isSearch(search)
        ? searchPage(search, await findResults(ctx, search, request), context)
        : homePage(context, pros)
      return renderPublicPage(request, page, { ...SOURCES, ...pictureSources(ctx.config) }, { usesLocation: true })
    },
    { access: publicPage, caching: 'public' },
  )

/** The pros, with the next open time and the logo of each. */
async function findResults(ctx: Ctx, search: Search, request: Request): Promise<Found> {
  const found = await findNarrowedPros(ctx, {
    query: prosQueryOf(search),
    narrowing: narrowingOf(search),
    countedAs: isPreview(request) || isCrawler(request) ? undefined : 'pages',
  })
  const { understood } = found.meta
  const service = understood?.service ?? found.professionals[0]?.matchedService
  const [details, pricing] = await Promise.all([
    findCardDetails(ctx, { pros: found.professionals, serviceId: service?.id }),
    findPrices(ctx, found),
  ])
  return { ...found, ...details, pricing }
}

/** What the service usually costs in the place of the search: a city or state, or everywhere. Others have no statistics. */
async function findPrices(ctx: Ctx, { meta: { understood }, professionals }: FoundPros): Promise<Found['pricing']> {
  if (!understood?.service || professionals.length === 0) return null
  const { service, place } = understood
  if (place && place.type !== 'city' && place.type !== 'state') return null
  const where = place && { state: place.state, ...(place.type === 'city' && { city: place.name }) }
  return (await getPricing(ctx, { service: service.id, ...where })).pricing
}
