// Bookings that a pro or an operator makes for a customer who calls. They pass the checks of every booking, and their customer
// reads who made them. What a pro made proves no visit: `is_of_completed_work` in sql/functions/review_stats.sql.
import { type AppError, invalidField } from '../../../../errors/app-error.ts'

/** Who makes bookings by hand. A CHECK repeats the list in the database. */
export const MAKERS = ['pro', 'operator'] as const
export type Maker = (typeof MAKERS)[number]

/** How many bookings a pro may make by hand in 24 hours: each sends a message to an address that the pro typed. */
export const BY_HAND_PER_DAY = 50

export const tooManyByHand = (): AppError =>
  invalidField(
    'body.start',
    `is one too many: a pro makes ${BY_HAND_PER_DAY} bookings for customers in 24 hours. Ask the customer to book on your page`,
  )
