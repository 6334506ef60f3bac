// The tools of the customer server, in the order of tools/list.
import type { Tool } from '../server/tool.ts'
import { bookAppointment } from './book-appointment.ts'
import { cancelBooking } from './cancel-booking.ts'
import { getBooking } from './get-booking.ts'
import { getQuoteRequest } from './get-quote-request.ts'
import { getReviews } from './get-reviews.ts'
import { comparePackages } from './compare-packages.ts'
import { getPackage } from './get-package.ts'
import { getPro } from './get-pro.ts'
import { listPackages } from './list-packages.ts'
import { listServices } from './list-services.ts'
import { getProperty, listProperties } from './properties.ts'
import { queryAvailability } from './query-availability.ts'
import { requestQuote } from './request-quote.ts'
import { rescheduleBooking } from './reschedule-booking.ts'
import { searchPros } from './search-pros.ts'
import { submitReview } from './submit-review.ts'

export const customerTools: readonly Tool[] = [
  searchPros,
  listServices,
  getPro,
  queryAvailability,
  bookAppointment,
  getBooking,
  rescheduleBooking,
  cancelBooking,
  requestQuote,
  getQuoteRequest,
  getReviews,
  submitReview,
  listPackages,
  getPackage,
  comparePackages,
  listProperties,
  getProperty,
]
