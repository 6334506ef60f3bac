// The form of the booking page, and what it is answered with.
import { type FixturePro, VISIT_ADDRESS, VISIT_PHONE, bookingBody } from './booking-fixture.ts'
import type { PageResponse } from './visitor.ts'

/** The fields as a browser sends them. */
export const formOf = (pro: FixturePro, hours: number, email: string) => {
  const { date, time } = bookingBody(pro, hours)
  const idempotencyKey = crypto.randomUUID()
  const place = { phone: VISIT_PHONE, ...VISIT_ADDRESS }
  return { service: pro.serviceId, date, time, name: 'Demo Customer', email, ...place, idempotencyKey }
}
export type BookingFields = ReturnType<typeof formOf>

export const bookPath = (pro: FixturePro) => `/pros/${pro.id}/book`

export type Outcome = 'booked' | 'code asked' | 'code refused'
export const outcomeOf = ({ status, location, text }: PageResponse): Outcome => {
  if (status === 303 && location?.startsWith('/bookings/manage/') === true) return 'booked'
  if (!text.includes('<h1>Enter your code</h1>')) throw new Error(`${status}: ${text}`)
  return text.includes('role="alert"') ? 'code refused' : 'code asked'
}

/** The form of the step with the code, as a browser sends it: its first button is pressed. */
export const fieldsOf = ({ text }: PageResponse): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<(?:input type="hidden"|button) name="([^"]+)" value="([^"]*)"/g)]
      .map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')] as const)
      .toReversed(),
  )
