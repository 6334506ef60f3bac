// /properties of a client account: behind FEATURE_CLIENT_PROPERTIES.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { PageQuery } from '../../../platform/schema/paging.ts'
import { NewProperty, PropertiesPage, Property, PropertyParams } from './schemas.ts'
import { createProperty, deleteProperty, getProperty, listProperties, replaceProperty } from './verbs.ts'

const responses = { 200: returns('The property', Property), ...problems({ 404: 'No such property' }) }
const tags = ['Properties']

export const propertyRoutes = (deps: Deps) =>
  new Elysia({ name: 'properties', prefix: '/properties' })
    .use(guard(deps))
    .get(
      '',
      async function getProperties({ ctx, query }) {
        return await listProperties(ctx, query)
      },
      {
        clientKey: 'mcp:read',
        query: PageQuery,
        response: { 200: returns('One page of properties, newest first', PropertiesPage) },
        detail: { tags, summary: 'The client’s properties' },
      },
    )
    .post(
      '',
      async function postProperty({ ctx, body, set, status }) {
        const outcome = await createProperty(ctx, body)
        const property = outcome
        set.headers.location = `/api/v1/properties/${property.id}`
        return status(201, property)
      },
      {
        clientKey: 'mcp:write',
        idempotent: true,
        body: NewProperty,
        response: { 201: returns('Created', Property) },
        detail: { tags, summary: 'Add a property' },
      },
    )
    .get(
      '/:id',
      async function getOneProperty({ ctx, params }) {
        return await getProperty(ctx, { id: params.id })
      },
      {
        clientKey: 'mcp:read',
        params: PropertyParams,
        response: responses,
        detail: { tags, summary: 'One property' },
      },
    )
    .put(
      '/:id',
      async function putProperty({ ctx, params, body }) {
        return await replaceProperty(ctx, { ...body, id: params.id })
      },
      {
        clientKey: 'mcp:write',
        params: PropertyParams,
        body: NewProperty,
        response: responses,
        detail: { tags, summary: 'Replace a property’s values' },
      },
    )
    .delete(
      '/:id',
      async function removeProperty({ ctx, params }) {
        await deleteProperty(ctx, { id: params.id })
        return new Response(null, { status: 204 })
      },
      {
        clientKey: 'mcp:write',
        params: PropertyParams,
        response: { 204: returns('Deleted'), ...problems({ 404: 'No such property' }) },
        detail: { tags, summary: 'Delete a property' },
      },
    )
