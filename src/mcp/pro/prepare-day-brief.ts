// prepare_day_brief: a brief of one day.
import { Type } from '@sinclair/typebox'

import { prepareDayBrief as prepare } from '../../features/agents/drafts/verbs/day-briefs.ts'
import { DayBrief } from '../../features/agents/drafts/schemas.ts'
import { CalendarDate } from '../../platform/schema/types.ts'
import { CREATES, defineProTool } from '../server/tool.ts'

export const prepareDayBrief = defineProTool({
  name: 'prepare_day_brief',
  title: 'Prepare a day',
  description: 'A day in order: bookings with local times, addresses and what to bring, jobs, gaps, warnings.',
  access: 'write',
  quotes: 'names and notes',
  hints: CREATES,
  idempotent: true,
  cost: 1,
  input: Type.Object(
    { date: Type.Optional(CalendarDate({ description: 'Default: today' })) },
    { additionalProperties: false },
  ),
  output: Type.Object({ brief: DayBrief }),
  call: async (ctx, input) => {
    const brief = await prepare(ctx, input)
    return { brief }
  },
})
