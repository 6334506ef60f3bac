// What an account has in test mode.

/** How much was made with test pros. */
export interface TestWork {
  bookings: number
  requests: number
  reviews: number
}

export type TestData = TestWork & { pros: { id: string; slug: string; businessName: string }[] }
