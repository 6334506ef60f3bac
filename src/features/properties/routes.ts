// /properties of a client account: behind FEATURE_CLIENT_PROPERTIES.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { guard } from '../../http/guard.ts'
import { problems, returns } from '../../http/responses.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { NewProperty, PropertiesPage, Property, PropertyParams } from './schemas.ts'
import { createProperty, deleteProperty, getProperty, listProperties, replaceProperty } from './verbs.ts'

const responses = { 200: returns('The property', Property), ...problems({ 404: 'No such property' }) }
const tags = ['Properties']

export const propertyRoutes = (deps: Deps) =>
  new Elysia({ name: 'properties', prefix: '/properties' })
    .use(guard(deps))
    .get(
      '',
      async function getProperties({ caller, query }) {
        return await listProperties(deps, caller.accountId, query)
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
      async function postProperty({ caller, body, idempotency, request, set, status }) {
        const outcome = await createProperty(deps, caller.accountId, body, idempotency)
        const property = markReplayed(request, outcome)
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
      async function getOneProperty({ caller, params }) {
        return await getProperty(deps, caller.accountId, params.id)
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
      async function putProperty({ caller, params, body }) {
        return await replaceProperty(deps, caller.accountId, params.id, body)
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
      async function removeProperty({ caller, params }) {
        await deleteProperty(deps, caller.accountId, params.id)
        return new Response(null, { status: 204 })
      },
      {
        clientKey: 'mcp:write',
        params: PropertyParams,
        response: { 204: returns('Deleted'), ...problems({ 404: 'No such property' }) },
        detail: { tags, summary: 'Delete a property' },
      },
    )
