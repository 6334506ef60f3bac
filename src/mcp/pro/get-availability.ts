// get_availability: GET /pro/availability and open times, for a model.
import { Type } from '@sinclair/typebox'

import { Availability, AvailabilityQuery } from '../../features/calendar/availability/schemas.ts'
import { getOpenSlots } from '../../features/calendar/availability/verbs.ts'
import { Schedule } from '../../features/calendar/schedule/schemas.ts'
import { getSchedule } from '../../features/calendar/schedule/verbs.ts'
import { Integer } from '../../platform/schema/numbers.ts'
import { CalendarDate, ClockTime } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'

const MAX_BLOCKS = 10

export const getAvailability = defineProTool({
  name: 'get_availability',
  title: 'Read availability',
  description:
    'Your booking settings, business hours, upcoming blocks, and open times: in your default slots, or with a serviceId (from list_services) the times that customers can book for that service. When it cannot be booked at once, `service.obstacle` says why.',
  access: 'read',
  input: Type.Object(
    {
      date: Type.Optional(CalendarDate({ description: 'First day of the open times; default: today' })),
      days: Type.Optional(Integer({ minimum: 1, maximum: 7, default: 1 })),
      serviceId: AvailabilityQuery.properties.serviceId,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    settings: Schedule.properties.settings,
    blocks: Schedule.properties.blocks,
    slotDurationMinutes: Availability.properties.slotDurationMinutes,
    service: Availability.properties.service,
    openTimes: Type.Array(Type.Object({ date: CalendarDate(), starts: Type.Array(ClockTime()) })),
  }),
  call: async (ctx, query) => {
    const [{ settings, blocks }, { availability, service, slotDurationMinutes }] = await Promise.all([
      getSchedule(ctx),
      getOpenSlots(ctx, { ...query, pro: ctx.actor.professionalId }),
    ])
    return {
      settings,
      blocks: blocks.slice(0, MAX_BLOCKS),
      slotDurationMinutes,
      service,
      openTimes: availability.map(({ date, slots: all }) => ({
        date,
        starts: all.filter(({ available }) => available).map(({ start }) => start),
      })),
    }
  },
})
