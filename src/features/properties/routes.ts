// /properties of a client account: behind FEATURE_CLIENT_PROPERTIES.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { clientKey } from '../../auth/access.ts'
import { callerOf, guard } from '../../http/guard.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { json } from '../../http/json.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { NewProperty, PropertiesPage, Property, PropertyParams } from './schemas.ts'
import { createProperty, deleteProperty, getProperty, listProperties, replaceProperty } from './verbs.ts'

const responses = { 200: { description: 'The property', schema: Property }, 404: { description: 'No such property' } }
const tags = ['Properties']

export const propertyRoutes = (deps: Deps) =>
  new Elysia({ name: 'properties', prefix: '/properties' })
    .use(guard(deps))
    .get(
      '',
      async function getProperties({ caller, query }) {
        return json(await listProperties(deps, callerOf(caller).accountId, query))
      },
      {
        access: clientKey('mcp:read'),
        query: PageQuery,
        answers: { 200: { description: 'One page of properties, newest first', schema: PropertiesPage } },
        detail: { tags, summary: 'The client’s properties' },
      },
    )
    .post(
      '',
      async function postProperty({ caller, body, idempotency, request }) {
        const outcome = await createProperty(deps, callerOf(caller).accountId, body, idempotency)
        const property = markReplayed(request, outcome)
        return json(property, { status: 201, headers: { location: `/api/v1/properties/${property.id}` } })
      },
      {
        access: clientKey('mcp:write'),
        idempotent: true,
        body: NewProperty,
        answers: { 201: { description: 'Created', schema: Property } },
        detail: { tags, summary: 'Add a property' },
      },
    )
    .get(
      '/:id',
      async function getOneProperty({ caller, params }) {
        return json(await getProperty(deps, callerOf(caller).accountId, params.id))
      },
      {
        access: clientKey('mcp:read'),
        params: PropertyParams,
        answers: responses,
        detail: { tags, summary: 'One property' },
      },
    )
    .put(
      '/:id',
      async function putProperty({ caller, params, body }) {
        return json(await replaceProperty(deps, callerOf(caller).accountId, params.id, body))
      },
      {
        access: clientKey('mcp:write'),
        params: PropertyParams,
        body: NewProperty,
        answers: responses,
        detail: { tags, summary: 'Replace a property’s values' },
      },
    )
    .delete(
      '/:id',
      async function removeProperty({ caller, params }) {
        await deleteProperty(deps, callerOf(caller).accountId, params.id)
        return new Response(null, { status: 204 })
      },
      {
        access: clientKey('mcp:write'),
        params: PropertyParams,
        answers: { 204: { description: 'Deleted' }, 404: { description: 'No such property' } },
        detail: { tags, summary: 'Delete a property' },
      },
    )
