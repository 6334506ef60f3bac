// /: the search for pros and its results.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { listServices } from '../../../features/catalog/services/verbs/catalog.ts'
import { getCatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { findNarrowedPros, findPros } from '../../../features/search/pros/verbs/search.ts'
import { publicPage } from '../../../auth/access.ts'
import { PUBLIC } from '../../../auth/caller.ts'
import { readFields } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { pictureSources } from '../../ui/pictures.tsx'
import { renderPublicPage } from '../../ui/responses.tsx'
import { EMPTY_FORM } from '../../ui/form.tsx'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { type Search, SearchForm, isSearch, narrowingOf, prosQueryOf, searchIn } from './query.ts'
import { findCardDetails } from './card-details.ts'
import { homePage } from './home.tsx'
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
      const context = { baseUrl: ctx.config.baseUrl, formState, categories, cities: allCities }
      const page = isSearch(search)
        ? searchPage(search, await findResults(ctx, search), context)
        : homePage(context, await countPros(ctx))
      return renderPublicPage(request, page, { ...SOURCES, ...pictureSources(ctx.config) }, { usesLocation: true })
    },
    { access: publicPage, caching: 'public' },
  )

/** The pros, with the next open time and the logo of each. */
async function findResults(ctx: Ctx, search: Search): Promise<Found> {
  const found = await findNarrowedPros(ctx, { query: prosQueryOf(search), narrowing: narrowingOf(search) })
  const service = found.meta.understood?.service ?? found.professionals[0]?.matchedService
  return { ...found, ...(await findCardDetails(ctx, { pros: found.professionals, serviceId: service?.id })) }
}

/** All pros that a search finds. */
async function countPros(ctx: Ctx): Promise<number> {
  // SQL builds the JSON after the schema of this type.
  const { meta } = JSON.parse(await findPros(ctx.as(PUBLIC), { limit: 1, offset: 0 })) as { meta: PageMeta }
  return meta.total
}
