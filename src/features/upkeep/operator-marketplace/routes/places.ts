// The routes /platform/places: where the marketplace serves, and the places that operators add.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../../deps.ts'
import { guard } from '../../../../http/guard.ts'
import { problems, returns } from '../../../../http/responses.ts'
import { DistrictAnswer, DistrictChange, DistrictList, NewArea, NewDistrict, PlatformArea } from '../schemas.ts'
import {
  addDistrictAsOperator,
  changeAreaAsOperator,
  listDistrictsAsOperator,
  readAreaAsOperator,
  removeDistrictAsOperator,
  renameDistrictAsOperator,
} from '../verbs/places.ts'

const tags = ['Platform places']
const params = Type.Object({
  id: Type.String({ pattern: '^\\d{1,10}$', description: 'The id of the district', examples: ['1000000000'] }),
})
const NO_DISTRICT = 'No such place was added'

export const operatorPlaceRoutes = (deps: Deps) =>
  new Elysia({ name: 'operator-places', prefix: '/platform/places' })
    .use(guard(deps))
    .get(
      '/area',
      async function getPlatformArea({ ctx }) {
        return await readAreaAsOperator(ctx)
      },
      {
        operatorKey: 'platform:read',
        response: { 200: returns('The area', PlatformArea) },
        detail: { tags, summary: 'Get where the marketplace serves' },
      },
    )
    .put(
      '/area',
      async function putPlatformArea({ ctx, body }) {
        return await changeAreaAsOperator(ctx, body)
      },
      {
        operatorKey: 'platform:write',
        body: NewArea,
        response: {
          200: returns('The area', PlatformArea),
          ...problems({ 409: 'The marketplace has another `version` by now' }),
        },
        detail: {
          tags,
          summary: 'Say where the marketplace serves',
          description: 'Replaces the whole area; an empty list is everywhere. Pros outside stay as they are.',
        },
      },
    )
    .use(districtRoutes(deps))

const districtRoutes = (deps: Deps) =>
  new Elysia({ name: 'operator-districts', prefix: '/districts' })
    .use(guard(deps))
    .get(
      '',
      async function getPlatformDistricts({ ctx }) {
        return await listDistrictsAsOperator(ctx)
      },
      {
        operatorKey: 'platform:read',
        response: { 200: returns('All of them, by name', DistrictList) },
        detail: { tags, summary: 'List the districts and other places that operators have added' },
      },
    )
    .post(
      '',
      async function postPlatformDistrict({ ctx, body, status }) {
        return status(201, await addDistrictAsOperator(ctx, body))
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        body: NewDistrict,
        response: { 201: returns('Added: searches and forms understand it', DistrictAnswer) },
        detail: { tags, summary: 'Add a place that people name and the list of cities lacks' },
      },
    )
    .patch(
      '/:id',
      async function patchPlatformDistrict({ ctx, params, body }) {
        return await renameDistrictAsOperator(ctx, { id: Number(params.id), ...body })
      },
      {
        operatorKey: 'platform:write',
        params,
        body: DistrictChange,
        response: {
          200: returns('The place; its id and its pros stay', DistrictAnswer),
          ...problems({ 404: NO_DISTRICT }),
        },
        detail: { tags, summary: 'Rename a place' },
      },
    )
    .delete(
      '/:id',
      async function deletePlatformDistrict({ ctx, params }) {
        await removeDistrictAsOperator(ctx, { id: Number(params.id) })
        return new Response(null, { status: 204 })
      },
      {
        operatorKey: 'platform:write',
        params,
        response: {
          204: returns('Removed: searches do not know it any more'),
          ...problems({ 404: NO_DISTRICT, 409: 'Pros are there' }),
        },
        detail: { tags, summary: 'Remove a place without pros' },
      },
    )
