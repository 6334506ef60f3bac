// A pro's own view of when they work: settings, hours, blocks.
import { type Static, Type } from '@sinclair/typebox'

import { FreeText, Instant, Nullable, Uuid } from '../../platform/schema/types.ts'
import { BusinessHours } from './hours.ts'

const Settings = Type.Object(
  {
    instantBookingEnabled: Type.Boolean(),
    requiresApproval: Type.Boolean({ description: 'Instant bookings wait for the pro’s confirmation' }),
    bookingLeadTimeHours: Type.Integer(),
    bookingBufferMinutes: Type.Integer(),
    defaultSlotMinutes: Type.Integer(),
    timezone: Type.String(),
    businessHours: BusinessHours,
  },
  { $id: 'ScheduleSettings' },
)

export const Block = Type.Object(
  { id: Type.String(), startDateTime: Instant(), endDateTime: Instant(), reason: Nullable(Type.String()) },
  { $id: 'Block' },
)
export type Block = Static<typeof Block>

export const Schedule = Type.Object(
  {
    settings: Settings,
    blocks: Type.Array(Block, { description: 'Those that are not over, the next first; at most 500' }),
  },
  { $id: 'Schedule' },
)
export type Schedule = Static<typeof Schedule>

export const ScheduleChange = Type.Object(
  {
    instantBookingEnabled: Type.Optional(Type.Boolean()),
    requiresApproval: Type.Optional(Type.Boolean()),
    bookingLeadTimeHours: Type.Optional(Type.Integer({ minimum: 0, maximum: 720 })),
    bookingBufferMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 240 })),
    defaultSlotMinutes: Type.Optional(Type.Integer({ minimum: 15, maximum: 720, multipleOf: 5 })),
    businessHours: Type.Optional(BusinessHours),
  },
  { $id: 'ScheduleChange', additionalProperties: false },
)
export type ScheduleChange = Static<typeof ScheduleChange>

export const NewBlock = Type.Object(
  { startDateTime: Instant(), endDateTime: Instant(), reason: Type.Optional(Nullable(FreeText())) },
  { $id: 'NewBlock', additionalProperties: false },
)
export type NewBlock = Static<typeof NewBlock>

export const BlockCreated = Type.Object(
  {
    success: Type.Boolean(),
    block: Block,
    bookingsWithin: Type.Array(Type.String(), {
      description: 'Bookings that hold part of this time: they stay; move or cancel them if need be',
    }),
  },
  { $id: 'BlockCreated' },
)
export type BlockCreated = Static<typeof BlockCreated>

export const BlockParams = Type.Object({ id: Uuid() })
