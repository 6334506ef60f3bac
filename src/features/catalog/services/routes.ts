// GET /services, GET /cities and GET /places.
import { Elysia } from 'elysia'

import { type Deps, oncePerDeps } from '../../../deps.ts'
import { publicRead } from '../../../auth/access.ts'
import { guard } from '../../../http/guard.ts'
import { NOT_MODIFIED, returns } from '../../../http/responses.ts'
import { ResponseCache } from '../../../http/response-cache.ts'
import { CitiesListing, CitiesQuery, PlacesListing, PlacesQuery, ServicesListing, ServicesQuery } from './schemas.ts'
import { listCities, listServices } from './verbs/catalog.ts'
import { listPlaces } from './verbs/places.ts'

const cacheOf = oncePerDeps(
  ({ notifications }) =>
    new ResponseCache(notifications, { name: 'catalog', channels: ['catalog_changed', 'catalog_names_changed'] }),
)

export const catalogRoutes = (deps: Deps) =>
  new Elysia({ name: 'catalog' })
    .use(guard(deps))
    .get(
      '/services',
      function getServices({ ctx, request, query }) {
        return cacheOf(ctx).respond(request, ['services', query.q, query.categoryId, query.city, query.state], () =>
          listServices(ctx, query),
        )
      },
      {
        access: publicRead('services:read', 'widget:public'),
        query: ServicesQuery,
        response: { 200: returns('The services by category', ServicesListing), 304: NOT_MODIFIED },
        detail: { tags: ['Catalog'], summary: 'All services by category, with counts of pros' },
      },
    )
    .get(
      '/cities',
      function getCities({ ctx, request, query }) {
        return cacheOf(ctx).respond(request, ['cities', query.state, query.limit, query.offset], () =>
          listCities(ctx, query),
        )
      },
      {
        access: publicRead('pros:read', 'widget:public'),
        query: CitiesQuery,
        response: {
          200: returns('Cities, most pros first', CitiesListing),
          304: NOT_MODIFIED,
        },
        detail: { tags: ['Catalog'], summary: 'Cities with active pros' },
      },
    )
    .get(
      '/places',
      function getPlaces({ ctx, request, query }) {
        return cacheOf(ctx).respond(request, ['places', query.q, query.limit], () => listPlaces(ctx, query))
      },
      {
        access: publicRead('pros:read', 'widget:public'),
        query: PlacesQuery,
        response: {
          200: returns('Places, most populous first', PlacesListing),
          304: NOT_MODIFIED,
        },
        detail: {
          tags: ['Catalog'],
          summary: 'Cities, states and ZIP codes for type-ahead',
          description:
            'Places that begin with the text. If no place does, the places that resemble it. The `displayName` is a `place` of `GET /pros`.',
        },
      },
    )
