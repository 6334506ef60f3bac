// prepare_day_brief: a day of the pro's calendar.
import { Type } from '@sinclair/typebox'

import { prepareDayBrief as prepare } from '../../features/drafts/verbs/day-briefs.ts'
import { DayBrief } from '../../features/drafts/schemas.ts'
import { CalendarDate } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'

export const prepareDayBrief = defineProTool({
  name: 'prepare_day_brief',
  title: 'Prepare a day',
  description: 'A day in order: bookings with local times, addresses and what to bring, jobs, gaps, warnings.',
  access: 'write',
  idempotent: true,
  cost: 1,
  input: Type.Object(
    { date: Type.Optional(CalendarDate({ description: 'Today unless given' })) },
    { additionalProperties: false },
  ),
  output: Type.Object({ brief: DayBrief }),
  call: async (deps, pro, wish, { idempotency }) => {
    const { value, replayed } = await prepare(deps, pro, wish, idempotency)
    return { value: { brief: value }, replayed }
  },
})
