// get_package: GET /packages/{id} for a model.
import { Type } from '@sinclair/typebox'

import { Package } from '../../features/business/packages/schemas.ts'
import { getPackage as getOne } from '../../features/business/packages/verbs/packages.ts'
import { Name } from '../../platform/schema/types.ts'
import { defineOpenTool } from '../server/tool.ts'
import { packageTraits } from './list-packages.ts'

export const getPackage = defineOpenTool({
  ...packageTraits,
  name: 'get_package',
  title: 'See a package',
  description: 'One fixed-price package in full, by id or sku from list_packages.',
  input: Type.Object({ id: Name({ examples: ['HC-AUSTIN-1'] }) }, { additionalProperties: false }),
  output: Type.Object({ package: Package }),
  call: async (ctx, { id }) => ({ package: await getOne(ctx, { name: id }) }),
})
