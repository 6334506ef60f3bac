// The shapes of parts of a booking.
import { Type } from '@sinclair/typebox'

import { LocalTime } from '../../../platform/schema/local-time.ts'
import { CalendarDate, Instant, Nullable, OneOf } from '../../../platform/schema/types.ts'
import { JOB_STATES } from '../jobs/states.ts'

export const ProposedTime = Type.Object({
  startDateTime: Instant(),
  date: CalendarDate(),
  time: Type.String({ description: 'HH:MM on the pro’s clock' }),
  localTime: LocalTime.localTime,
  message: Nullable(Type.String(), { description: 'Of the pro to the customer' }),
  proposedAt: Instant(),
  declinedAt: Nullable(Instant(), { description: 'Null until the customer declines' }),
})

export const JobOfVisit = Type.Object({
  id: Type.String(),
  quoteId: Nullable(Type.String()),
  status: OneOf(JOB_STATES, { description: '`scheduled` until the work has begun' }),
})
