// The hold of a time until its payment: which bookings have one, and how people read how long it lasts. The marketplace's defaults
// say its length for new bookings. In the database `booking_as_of` (sql/functions/booking_object.sql) ends it for every
// reader, and sql/functions/lapse_holds.sql records the end and frees the time.
import { minutesLeft } from '../../../../platform/clock/dates.ts'
import { plural } from '../../../../platform/text/format.ts'
import type { BookingState } from '../states.ts'

/** How long a new booking that costs something waits for its payment: "15 minutes". */
export const holdLength = ({ holdSeconds }: { holdSeconds: number }): string =>
  plural(Math.max(1, Math.round(holdSeconds / 60)), 'minute')

/** Whether a booking waits for the customer's payment. Reads show it as cancelled from the end of the hold on. */
export const isHeld = ({ status, holdExpiresAt }: { status: BookingState; holdExpiresAt: string | null }): boolean =>
  status === 'pending' && holdExpiresAt !== null

/** How much longer a time is held: "12 minutes". */
export const heldFor = (holdExpiresAt: string, now: Date): string => plural(minutesLeft(holdExpiresAt, now), 'minute')
