// get_property: GET /properties/{id} for a client's agent.
import { Type } from '@sinclair/typebox'

import { Property, PropertyParams } from '../../features/properties/schemas.ts'
import { getProperty as getOne } from '../../features/properties/verbs.ts'
import { defineCustomerTool } from '../server/tool.ts'
import { propertyTraits } from './property-traits.ts'

export const getProperty = defineCustomerTool({
  ...propertyTraits,
  name: 'get_property',
  title: 'See a property',
  description: 'One home of this key’s owner, with notes on access. Tell a pro no more of those than the work needs.',
  input: Type.Object({ id: PropertyParams.properties.id }, { additionalProperties: false }),
  output: Type.Object({ property: Property }),
  call: async (deps, { accountId }, { id }) => ({ property: await getOne(deps, accountId, id) }),
})
