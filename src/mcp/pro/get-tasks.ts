// get_tasks: how many agent tasks are left.
import { Type } from '@sinclair/typebox'

import { getBalance } from '../../features/agents/metering/verbs.ts'
import { Natural } from '../../platform/schema/numbers.ts'
import { Instant, Uri } from '../../platform/schema/types.ts'
import { plural } from '../../platform/text/format.ts'
import { defineProTool } from '../server/tool.ts'

export const getTasks = defineProTool({
  name: 'get_tasks',
  title: 'See agent tasks',
  description:
    'The agent tasks that are left: of this month’s allowance and prepaid. Only people buy tasks, on `buyUrl`.',
  access: 'read',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    plan: Type.String(),
    available: Natural(),
    allowance: Type.Object({ granted: Natural(), left: Natural() }),
    prepaid: Natural(),
    inProgress: Natural(),
    resetsAt: Instant(),
    buyUrl: Uri(),
  }),
  call: async (ctx) => {
    const { plan, available, allowance, prepaid, reserved, resetsAt } = await getBalance(ctx, {
      professionalId: ctx.actor.professionalId,
    })
    const buyUrl = `${ctx.config.baseUrl}/console/credits`
    return { plan, available, allowance, prepaid, inProgress: reserved, resetsAt, buyUrl }
  },
  next: ({ available }) =>
    `${plural(available, 'task')} left. prepare_* and run_agent cost one each, everything else none.`,
})
