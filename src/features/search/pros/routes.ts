// GET /pros, GET /pros/{id} and GET /profile/public/{profileId}.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { publicRead } from '../../../auth/access.ts'
import { isPreview } from '../../../http/accept.ts'
import { guard } from '../../../http/guard.ts'
import { NOT_MODIFIED, problems, returns } from '../../../http/responses.ts'
import { publicJson } from '../../../http/json.ts'
import {
  ProParams,
  ProfessionalDetail,
  ProfessionalsPage,
  ProsQuery,
  PublicProfile,
  PublicProfileParams,
} from './schemas.ts'
import { findPros } from './verbs/search.ts'
import { getPro, getPublicProfile } from './verbs/pros.ts'

const access = publicRead('pros:read', 'widget:public')

export const proRoutes = (deps: Deps) =>
  new Elysia({ name: 'pros', prefix: '/pros' })
    .use(guard(deps))
    .get(
      '',
      async function searchProfessionals({ ctx, request, query }) {
        const countedAs = isPreview(request) ? undefined : 'api'
        return publicJson(ctx, request, await findPros(ctx, { ...query, countedAs }))
      },
      {
        access,
        query: ProsQuery,
        response: { 200: returns('One page of pros', ProfessionalsPage), 304: NOT_MODIFIED },
        detail: {
          tags: ['Pros'],
          summary: 'Search pros',
          description:
            'With a point: pros within the radius, nearest first, with distances. Without a point: best rated first. All filters combine. A service, category or place that is not understood gives an empty page with `meta.suggestions`: the nearest names, if there are any. `meta.understood` says which words were corrected, ignored or not understood. An empty page without `meta.suggestions` means that no pro matches.',
        },
      },
    )
    .get(
      '/:id',
      async function getProfessional({ ctx, request, params }) {
        return publicJson(ctx, request, await getPro(ctx, { pro: params.id }))
      },
      {
        access,
        params: ProParams,
        response: {
          200: returns('The pro', ProfessionalDetail),
          304: NOT_MODIFIED,
          ...problems({ 404: 'No such pro' }),
        },
        detail: { tags: ['Pros'], summary: 'One pro, by id or slug' },
      },
    )

export const publicProfileRoutes = (deps: Deps) =>
  new Elysia({ name: 'public-profile' }).use(guard(deps)).get(
    '/profile/public/:profileId',
    async function showPublicProfile({ ctx, request, params }) {
      return publicJson(ctx, request, await getPublicProfile(ctx, { pro: params.profileId }))
    },
    {
      access,
      params: PublicProfileParams,
      response: {
        200: returns('All data of the pro’s public page', PublicProfile),
        304: NOT_MODIFIED,
        ...problems({ 404: 'No such pro' }),
      },
      detail: {
        tags: ['Pros'],
        summary: 'The data of a pro’s public page',
        description: 'The pro’s details plus business hours, counts of completed work, recent reviews and links.',
      },
    },
  )
