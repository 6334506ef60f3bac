// The tools of the customer server, in the order of tools/list.
import type { Tool } from '../server/tool.ts'
import { bookAppointment } from './book-appointment.ts'
import { getReviews } from './get-reviews.ts'
import { comparePackages } from './compare-packages.ts'
import { getPackage } from './get-package.ts'
import { listPackages } from './list-packages.ts'
import { getProperty, listProperties } from './properties.ts'
import { queryAvailability } from './query-availability.ts'
import { requestQuote } from './request-quote.ts'
import { searchPros } from './search-pros.ts'

export const customerTools: readonly Tool[] = [
  searchPros,
  queryAvailability,
  bookAppointment,
  requestQuote,
  getReviews,
  listPackages,
  getPackage,
  comparePackages,
  listProperties,
  getProperty,
]
