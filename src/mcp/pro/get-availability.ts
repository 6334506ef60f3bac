// get_availability: GET /pro/availability and open times, for a model.
import { Type } from '@sinclair/typebox'

import type { Availability } from '../../features/availability/schemas.ts'
import { listOpenSlots } from '../../features/availability/verbs.ts'
import { Schedule } from '../../features/schedule/schemas.ts'
import { getSchedule } from '../../features/schedule/verbs.ts'
import { CalendarDate, ClockTime } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'

const MAX_BLOCKS = 10

export const getAvailability = defineProTool({
  name: 'get_availability',
  title: 'Read availability',
  description: 'Your booking settings, business hours, upcoming blocks, and open times.',
  access: 'read',
  input: Type.Object(
    {
      date: Type.Optional(CalendarDate({ description: 'First day of the open times; default: today' })),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 7, default: 1 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    settings: Schedule.properties.settings,
    blocks: Schedule.properties.blocks,
    openTimes: Type.Array(Type.Object({ date: CalendarDate(), starts: Type.Array(ClockTime()) })),
  }),
  call: async (deps, pro, query) => {
    const [{ settings, blocks }, slots] = await Promise.all([
      getSchedule(deps, pro),
      listOpenSlots(deps, pro.professionalId, query),
    ])
    const { availability } = JSON.parse(slots) as Availability
    return {
      settings,
      blocks: blocks.slice(0, MAX_BLOCKS),
      openTimes: availability.map(({ date, slots: all }) => ({
        date,
        starts: all.filter(({ available }) => available).map(({ start }) => start),
      })),
    }
  },
})
