// list_properties and get_property: GET /properties for a client's agent.
import { Type } from '@sinclair/typebox'

import { PageMeta, PageQuery } from '../../platform/schema/paging.ts'
import { Property, PropertyParams } from '../../features/customers/properties/schemas.ts'
import { getProperty as getOne, listProperties as listAll } from '../../features/customers/properties/verbs.ts'
import { pick } from '../server/results.ts'
import { defineCustomerTool } from '../server/tool.ts'

/** For keys of clients only. A widget's key cannot read them, because it is public in the page's source. */
const traits = {
  access: 'read',
  flags: ['FEATURE_CUSTOMER_MCP_PACKAGES', 'FEATURE_OFFER_PACKAGES', 'FEATURE_CLIENT_PROPERTIES'],
  scopes: ['mcp:read'],
  owner: 'client',
} as const

const { accessNotes: _, createdAt: __, updatedAt: ___, ...briefFields } = Property.properties
const BriefProperty = Type.Object(briefFields)

export const listProperties = defineCustomerTool({
  ...traits,
  name: 'list_properties',
  title: 'List your properties',
  description: 'The homes of this key’s owner, newest first: address and size.',
  input: Type.Object(PageQuery.properties, { additionalProperties: false }),
  output: Type.Object({ properties: Type.Array(BriefProperty), meta: PageMeta }),
  call: async (ctx, query) => {
    const { properties, meta } = await listAll(ctx, query)
    return { properties: properties.map((property) => pick(BriefProperty, property)), meta }
  },
})

export const getProperty = defineCustomerTool({
  ...traits,
  name: 'get_property',
  title: 'See a property',
  description: 'One home of this key’s owner, with access notes. Share those with a pro only as far as the work needs.',
  input: Type.Object({ id: PropertyParams.properties.id }, { additionalProperties: false }),
  output: Type.Object({ property: Property }),
  call: async (ctx, { id }) => ({ property: await getOne(ctx, { id }) }),
})
