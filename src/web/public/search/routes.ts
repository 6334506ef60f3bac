// /: the search for pros and its results.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { listNextOpenTimes } from '../../../features/calendar/availability/verbs.ts'
import { listServices } from '../../../features/catalog/services/verbs/catalog.ts'
import { getCatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { listLogos } from '../../../features/files/pictures/verbs.ts'
import { findNarrowedPros } from '../../../features/search/pros/verbs/search.ts'
import { publicPage } from '../../../auth/access.ts'
import { readFields } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { pictureSources } from '../../ui/pictures.tsx'
import { renderPublicPage } from '../../ui/responses.tsx'
import { EMPTY_FORM } from '../../ui/form.tsx'
import { type Search, SearchForm, isSearch, narrowingOf, prosQueryOf, searchIn } from './query.ts'
import { type Found, searchPage } from './view.tsx'

const SOURCES = { 'form-action': "'self'", 'script-src': "'self'", 'connect-src': "'self'" }

export const homePages = (deps: Deps) =>
  new Elysia({ name: 'home-pages' }).use(guard(deps)).get(
    '/',
    async function getHomePage({ ctx, request }) {
      const query = queryOf(request.url)
      const [search, read] = [searchIn(query), readFields(SearchForm, query)]
      const formState = read.ok ? EMPTY_FORM : { values: query, errors: read.errors }
      const { categories } = await listServices(ctx, {})
      const { allCities } = await getCatalogNames(ctx)
      const found = isSearch(search) ? await findResults(ctx, search) : undefined
      const { baseUrl } = ctx.config
      const page = searchPage(search, found, { baseUrl, formState, categories, cities: allCities })
      return renderPublicPage(request, page, { ...SOURCES, ...pictureSources(ctx.config) }, { usesLocation: true })
    },
    { access: publicPage, caching: 'public' },
  )

/** The pros, with the next open time and the logo of each. */
async function findResults(ctx: Ctx, search: Search): Promise<Found> {
  const found = await findNarrowedPros(ctx, { query: prosQueryOf(search), narrowing: narrowingOf(search) })
  const bookable = found.professionals.filter(({ bookingUrl }) => bookingUrl !== null).map(({ id }) => id)
  const service = found.meta.understood?.service ?? found.professionals[0]?.matchedService
  const [times, logos] = await Promise.all([
    listNextOpenTimes(ctx, { ids: bookable, serviceId: service?.id }),
    listLogos(ctx, { ids: found.professionals.map(({ id }) => id) }),
  ])
  return { ...found, times, logos }
}
