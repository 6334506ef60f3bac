// compare_packages: GET /packages/compare for a model.
import { Type } from '@sinclair/typebox'

import { PackageComparison } from '../../features/business/packages/schemas.ts'
import { comparePackages as compare } from '../../features/business/packages/verbs/packages.ts'
import { defineOpenTool } from '../server/tool.ts'
import { packageTraits } from './list-packages.ts'

export const comparePackages = defineOpenTool({
  ...packageTraits,
  name: 'compare_packages',
  title: 'Compare packages',
  description: 'Compare two to four packages: common and unique items, the cheapest, the best rated.',
  input: Type.Object(
    {
      ids: Type.Array(Type.String({ pattern: '^[^,\\s][^,]{0,98}$', examples: ['HC-AUSTIN-1'] }), {
        minItems: 2,
        maxItems: 4,
        uniqueItems: true,
        description: 'Ids or skus from list_packages',
        examples: [['HC-AUSTIN-1', 'HC-AUSTIN-2']],
      }),
    },
    { additionalProperties: false },
  ),
  output: PackageComparison,
  call: async (ctx, { ids }) => await compare(ctx, { ids: ids.join(',') }),
})
