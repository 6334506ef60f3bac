// A wish for a slot, as the service hands it to the database.
import { randomUUID } from 'node:crypto'

import type { Reservation } from '../../src/features/bookings/queries/bookings.ts'
import { type TestPro, confirmationCode } from './schedule.ts'

/** Now, in the tests of reservations: a Thursday evening in Austin. */
export const NOW = new Date('2026-11-20T00:00:00Z')

/** The coming Monday at nine in the morning, on the pro's clock, unless told otherwise. */
export const newReservation = (pro: TestPro, changes: Partial<Reservation> = {}): Reservation => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  start: { date: '2026-11-23', minute: 9 * 60 },
  durationMinutes: null,
  customer: { name: 'Homeowner in Austin', email: 'home@example.com' },
  address: null,
  description: null,
  source: 'api',
  sourceAgentId: null,
  accountId: pro.accountId,
  bookingId: randomUUID(),
  confirmationCode: confirmationCode(),
  eventIds: [randomUUID(), randomUUID()],
  traceparent: null,
  now: NOW,
  baseUrl: 'https://hearth.example',
  idempotency: null,
  feeCents: 0,
  holdSeconds: 900,
  paymentId: randomUUID(),
  paymentProvider: 'sandbox',
  ...changes,
})
