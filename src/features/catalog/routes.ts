// GET /services and GET /cities.
import { Elysia } from 'elysia'

import { type Deps, oncePerDeps } from '../../deps.ts'
import { publicRead } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { NOT_MODIFIED } from '../../http/json.ts'
import { ReadyAnswers } from '../../http/response-cache.ts'
import { CitiesListing, CitiesQuery, ServicesListing, ServicesQuery } from './schemas.ts'
import { listCities, listServices } from './verbs/catalog.ts'

const cacheOf = oncePerDeps(
  ({ notifications }) => new ReadyAnswers(notifications, ['catalog_changed', 'catalog_names_changed']),
)

export const catalogRoutes = (deps: Deps) =>
  new Elysia({ name: 'catalog' })
    .use(guard(deps))
    .get(
      '/services',
      function getServices({ request, query }) {
        return cacheOf(deps).respond(request, ['services', query.categoryId, query.city, query.state], () =>
          listServices(deps, query),
        )
      },
      {
        access: publicRead('services:read', 'widget:public'),
        query: ServicesQuery,
        answers: { 200: { description: 'The services by category', schema: ServicesListing }, 304: NOT_MODIFIED },
        detail: { tags: ['Catalog'], summary: 'All services by category, with counts of pros' },
      },
    )
    .get(
      '/cities',
      function getCities({ request, query }) {
        return cacheOf(deps).respond(request, ['cities', query.state, query.limit], () => listCities(deps, query))
      },
      {
        access: publicRead('pros:read', 'widget:public'),
        query: CitiesQuery,
        answers: {
          200: { description: 'Cities, most pros first', schema: CitiesListing },
          304: NOT_MODIFIED,
        },
        detail: { tags: ['Catalog'], summary: 'Cities with active pros' },
      },
    )
