// Reservations in pgbench: the server's own statement on the numbered free slots.
import { reserveSlot } from '../../src/features/booking/bookings/queries/bookings.ts'
import { captureText, expression } from './captured.ts'
import { ctxOn } from '../../test/support/ctx-on.ts'

/** A pgbench script that books the next slot for the account with this address. */
export async function reservationScript(owner: string): Promise<string> {
  const now = new Date()
  const statement = await captureText((db) =>
    reserveSlot(ctxOn(db), {
      professionalId: expression('slot.pro_id'),
      serviceId: expression('slot.service_id'),
      start: {
        date: expression('slot.day'),
        minute: expression('(left(slot.time, 2)::integer * 60 + right(slot.time, 2)::integer)'),
      },
      durationMinutes: null,
      defaultLength: 'slot',
      customer: { name: 'Demo Customer', email: expression("(slot.id || '@demo.example')"), phone: '(555) 555-0100' },
      address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
      description: 'The kitchen sink drips.',
      source: 'api',
      sourceAgentId: null,
      accountId: expression('account.id'),
      bookingId: expression('slot.id'),
      confirmationCode: expression("('HTH-' || upper(left(md5(slot.id::text), 12)))"),
      eventIds: [expression('gen_random_uuid()'), expression('gen_random_uuid()')],
      traceparent: null,
      now,
      baseUrl: 'http://127.0.0.1:3000',
      idempotency: {
        operation: 'createBooking',
        key: expression('slot.id::text'),
        requestHash: expression('sha256(slot.id::text::bytea)'),
      },
      feeCents: 0,
      holdSeconds: 900,
      paymentId: expression('gen_random_uuid()'),
      paymentProvider: 'sandbox',
      maxUnpaid: 3,
      freeCancellationHours: 24,
      addressProof: 'vouched',
      network: null,
    }),
  )
  return `
\\if :is_prepared
\\else
prepare reservation as
  select result.*
  from (select *, gen_random_uuid() as id from bench_slots where n = (select nextval('bench_slot_numbers'))) slot
  cross join (select id from accounts where email = '${owner}') account
  cross join lateral (${statement}) result;
\\set is_prepared true
\\endif
execute reservation;
`
}
