// list_properties: GET /properties for a client's agent.
import { type Static, Type } from '@sinclair/typebox'

import { PageMeta, PageQuery } from '../../platform/schema/paging.ts'
import { Property } from '../../features/properties/schemas.ts'
import { listProperties as listAll } from '../../features/properties/verbs.ts'
import { defineCustomerTool } from '../server/tool.ts'
import { propertyTraits } from './property-traits.ts'

const { accessNotes: _, createdAt: __, updatedAt: ___, ...listed } = Property.properties
const ListedProperty = Type.Object(listed)

export const listProperties = defineCustomerTool({
  ...propertyTraits,
  name: 'list_properties',
  title: 'List your properties',
  description:
    'The homes that this key’s owner looks after, newest first: address and size, to search pros and packages for them.',
  input: Type.Object(PageQuery.properties, { additionalProperties: false }),
  output: Type.Object({ properties: Type.Array(ListedProperty), meta: PageMeta }),
  call: async (deps, { accountId }, query) => {
    const { properties, meta } = await listAll(deps, accountId, query)
    return { properties: properties.map(brief), meta }
  },
})

function brief(property: Property): Static<typeof ListedProperty> {
  const { accessNotes: _, createdAt: __, updatedAt: ___, ...rest } = property
  return rest
}
