// What a customer is told whom a pro or operators have blocked: the same words, so that the customer cannot tell who did.
// Whether operators have is `is_blocked_customer` in sql/functions/blocked_customers.sql.
import { AppError } from '../../../../errors/app-error.ts'

export const CUSTOMER_BLOCKED = 'This pro does not take bookings from this customer. Choose another pro.'

export const customerBlocked = (): AppError => new AppError('customer_blocked', CUSTOMER_BLOCKED)
