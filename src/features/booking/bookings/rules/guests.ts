// How many people a customer may name in a day: each gets a message that they did not ask for.
import { type AppError, invalidField } from '../../../../errors/app-error.ts'

export const GUESTS_PER_DAY = 5

export const tooManyGuests = (): AppError =>
  invalidField(
    'body.notifyEmail',
    `is one too many: a customer names ${GUESTS_PER_DAY} guests in 24 hours. Book without it, and tell the person yourself`,
  )
