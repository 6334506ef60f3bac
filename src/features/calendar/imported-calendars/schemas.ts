// The shapes of imported calendars.
import { type Static, Type } from '@sinclair/typebox'

import { Natural } from '../../../platform/schema/numbers.ts'
import { Instant, Name, Nullable, OneOf, Uri, Uuid } from '../../../platform/schema/types.ts'

/** The most calendars of a pro. */
export const MAX_CALENDARS = 20

export const NewCalendar = Type.Object(
  {
    name: Name({ examples: ['Family'] }),
    url: Uri({
      pattern: '^(https?|webcals?)://',
      description:
        'The calendar’s secret address in iCal format, as Google, Outlook and iCloud show it. It is kept secret',
      examples: ['https://calendar.google.com/calendar/ical/me%40example.com/private-0123456789abcdef/basic.ics'],
    }),
    memberId: Type.Optional(Nullable(Uuid({ description: 'The member of the team whose calendar it is' }))),
  },
  { $id: 'NewCalendar', additionalProperties: false },
)
export type NewCalendar = Static<typeof NewCalendar>

export const Calendar = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    address: Type.String({ description: 'Only its host is shown', examples: ['https://calendar.google.com/…'] }),
    memberId: Nullable(Type.String()),
    status: OneOf(['waiting', 'working', 'failing'], {
      description:
        '`waiting`: not read yet. `failing`: could not be read the last time; the busy time read before still counts',
    }),
    lastReadAt: Nullable(Instant({ description: 'When it was last read with success' })),
    lastError: Nullable(Type.String({ description: 'What went wrong the last time, for people' })),
    failingSince: Nullable(Instant()),
    nextReadAt: Instant(),
    eventCount: Natural({ description: 'The number of events in the calendar' }),
    unreadableEventCount: Natural({ description: 'Events that could not be understood: they do not block time' }),
    createdAt: Instant(),
  },
  { $id: 'ImportedCalendar' },
)
export type Calendar = Static<typeof Calendar>

export const CalendarList = Type.Object(
  { calendars: Type.Array(Calendar, { description: `Oldest first, at most ${MAX_CALENDARS}` }) },
  { $id: 'ImportedCalendarList' },
)
export type CalendarList = Static<typeof CalendarList>

export const CalendarAdded = Type.Object(
  { success: Type.Boolean(), calendar: Calendar },
  { $id: 'ImportedCalendarAdded' },
)
export type CalendarAdded = Static<typeof CalendarAdded>

export const CalendarParams = Type.Object({ id: Uuid() })

/** A time that a calendar blocks. */
export interface ImportedTime {
  calendarId: string
  startsAt: string
  endsAt: string
}
