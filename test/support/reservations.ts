// Reservations as the service passes them to the database.
import { randomUUID } from 'node:crypto'

import type { Reservation } from '../../src/features/booking/bookings/queries/bookings.ts'
import { type TestPro, confirmationCode } from './schedule.ts'

/** The current time in the tests of reservations: a Thursday evening in Austin. */
export const NOW = new Date('2026-11-20T00:00:00Z')

/** A reservation for the coming Monday at nine in the pro's time zone, with `changes`. */
export const newReservation = (pro: TestPro, changes: Partial<Reservation> = {}): Reservation => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  start: { date: '2026-11-23', minute: 9 * 60 },
  durationMinutes: null,
  defaultLength: 'slot',
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
  maxUnpaid: 1_000_000,
  freeCancellationHours: 24,
  addressProof: 'typed',
  network: null,
  ...changes,
})
