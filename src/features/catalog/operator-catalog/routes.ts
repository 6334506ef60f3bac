// The routes /platform/catalog: what operators' programs do with categories and services.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import {
  CategoryAnswer,
  CategoryChange,
  EntryMerge,
  MergeAnswer,
  NewCategory,
  NewService,
  PlatformCatalog,
  ServiceAnswer,
  ServiceChange,
} from './schemas.ts'
import {
  addCategoryAsOperator,
  addServiceAsOperator,
  changeCategoryAsOperator,
  changeServiceAsOperator,
  mergeCategoryAsOperator,
  mergeServiceAsOperator,
  readCatalogAsOperator,
} from './verbs.ts'

const tags = ['Platform catalog']
const ofCategory = Type.Object({ id: Uuid({ description: 'The id of the category' }) })
const ofService = Type.Object({ id: Uuid({ description: 'The id of the service' }) })
const NO_CATEGORY = 'The catalog has no such category'
const NO_SERVICE = 'The catalog has no such service'
const CHANGED = 'The entry has another `version` by now'
const CHANGES =
  'What the body leaves out stays as it is. Ids never change, and former slugs lead to the entry. Pages and searches follow at once.'
const MERGES =
  'This cannot be undone. Names, former slugs and pros move to the other one; bookings, jobs and quotes stay as they are.'

export const operatorCatalogRoutes = (deps: Deps) =>
  new Elysia({ name: 'operator-catalog', prefix: '/platform/catalog' })
    .use(guard(deps))
    .get(
      '',
      async function getPlatformCatalog({ ctx }) {
        return await readCatalogAsOperator(ctx)
      },
      {
        operatorKey: 'platform:read',
        response: { 200: returns('All entries, in the order in which people see them', PlatformCatalog) },
        detail: { tags, summary: 'Get all categories and services, also those that are retired' },
      },
    )
    .use(categoryRoutes(deps))
    .use(serviceRoutes(deps))

const categoryRoutes = (deps: Deps) =>
  new Elysia({ name: 'operator-categories', prefix: '/categories' })
    .use(guard(deps))
    .post(
      '',
      async function postPlatformCategory({ ctx, body, status }) {
        return status(201, await addCategoryAsOperator(ctx, body))
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        body: NewCategory,
        response: { 201: returns('Added', CategoryAnswer) },
        detail: { tags, summary: 'Add a category', description: 'People see it once it has a service.' },
      },
    )
    .patch(
      '/:id',
      async function patchPlatformCategory({ ctx, params, body }) {
        return await changeCategoryAsOperator(ctx, { ...params, ...body })
      },
      {
        operatorKey: 'platform:write',
        params: ofCategory,
        body: CategoryChange,
        response: { 200: returns('The category', CategoryAnswer), ...problems({ 404: NO_CATEGORY, 409: CHANGED }) },
        detail: { tags, summary: 'Rename, order or retire a category', description: CHANGES },
      },
    )
    .post(
      '/:id/merge',
      async function postPlatformCategoryMerge({ ctx, params, body }) {
        return await mergeCategoryAsOperator(ctx, { ...params, ...body })
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        params: ofCategory,
        body: EntryMerge,
        response: { 200: returns('Merged, or under way', MergeAnswer), ...problems({ 404: NO_CATEGORY }) },
        detail: { tags, summary: 'Make a category part of another one', description: MERGES },
      },
    )

const serviceRoutes = (deps: Deps) =>
  new Elysia({ name: 'operator-services', prefix: '/services' })
    .use(guard(deps))
    .post(
      '',
      async function postPlatformService({ ctx, body, status }) {
        return status(201, await addServiceAsOperator(ctx, body))
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        body: NewService,
        response: { 201: returns('Added', ServiceAnswer) },
        detail: { tags, summary: 'Add a service', description: 'Pros can offer it at once.' },
      },
    )
    .patch(
      '/:id',
      async function patchPlatformService({ ctx, params, body }) {
        return await changeServiceAsOperator(ctx, { ...params, ...body })
      },
      {
        operatorKey: 'platform:write',
        params: ofService,
        body: ServiceChange,
        response: { 200: returns('The service', ServiceAnswer), ...problems({ 404: NO_SERVICE, 409: CHANGED }) },
        detail: { tags, summary: 'Rename, change, order or retire a service', description: CHANGES },
      },
    )
    .post(
      '/:id/merge',
      async function postPlatformServiceMerge({ ctx, params, body }) {
        return await mergeServiceAsOperator(ctx, { ...params, ...body })
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        params: ofService,
        body: EntryMerge,
        response: { 200: returns('Merged, or under way', MergeAnswer), ...problems({ 404: NO_SERVICE }) },
        detail: { tags, summary: 'Make a service part of another one', description: MERGES },
      },
    )
