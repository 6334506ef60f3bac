// /pro/pictures, and /pros/{id}/pictures for everyone.
import { Elysia } from 'elysia'

import { publicRead } from '../../../auth/access.ts'
import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { publicJson } from '../../../http/json.ts'
import { NOT_MODIFIED, problems, returns } from '../../../http/responses.ts'
import { ProParams } from '../../search/pros/schemas.ts'
import { NewPictures, Pictures, PublicPictures } from './schemas.ts'
import { getPictures, getPublicPictures, setPictures } from './verbs.ts'

export const pictureRoutes = (deps: Deps) =>
  new Elysia({ name: 'pictures' })
    .use(guard(deps))
    .get(
      '/pro/pictures',
      async function getProPictures({ ctx }) {
        return await getPictures(ctx)
      },
      {
        proKey: 'pro:read',
        response: { 200: returns('The pictures, also those that are not ready', Pictures) },
        detail: { tags: ['Pro settings'], summary: 'Your logo, cover and gallery' },
      },
    )
    .put(
      '/pro/pictures',
      async function putProPictures({ ctx, body }) {
        return await setPictures(ctx, body)
      },
      {
        proKey: 'pro:write',
        body: NewPictures,
        response: { 200: returns('The pictures', Pictures) },
        detail: {
          tags: ['Pro settings'],
          summary: 'Replace your logo, cover and gallery',
          description:
            'Names uploaded files. The gallery is shown in this order. What is not named is deleted after a day.',
        },
      },
    )
    .get(
      '/pros/:id/pictures',
      async function getPublicProPictures({ ctx, request, params }) {
        return publicJson(ctx, request, JSON.stringify(await getPublicPictures(ctx, { pro: params.id })))
      },
      {
        access: publicRead('pros:read', 'widget:public'),
        params: ProParams,
        response: {
          200: returns('The pictures that are ready', PublicPictures),
          304: NOT_MODIFIED,
          ...problems({ 404: 'No such pro' }),
        },
        detail: { tags: ['Pros'], summary: 'Logo, cover and gallery of a pro' },
      },
    )
