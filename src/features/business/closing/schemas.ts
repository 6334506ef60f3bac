// A pro's account that is closed, and what closing it ends.

/** For how many days an operator can reopen a closed account before its data is erased. */
export const DAYS_UNTIL_ERASURE = 30

/** What closing the account would end now. */
export interface OpenWork {
  /** Bookings that have not begun. */
  visits: number
  /** Bookings that have begun and are not marked as done or missed. */
  begunVisits: number
  /** Jobs without a visit that are agreed or begun. */
  jobs: number
  /** Requests for a quote that are not archived. */
  requests: number
  /** What customers have paid for these visits and jobs, in cents, by currency. */
  refunds: readonly { currency: string; cents: number }[]
  keys: number
  apps: number
  endpoints: number
  calendars: number
}

/** A closed account. */
export interface Closing {
  readonly closedAt: string
  readonly eraseAt: string
  readonly erasedAt: string | null
}
