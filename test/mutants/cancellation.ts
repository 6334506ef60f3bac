// Mutants of what cancelling costs, and deposits.
import type { Mutant } from './mutant.ts'

export const CANCELLATION: readonly Mutant[] = [
  {
    guarantee: 'Cancelling late keeps the payment.',
    file: 'src/features/bookings/verbs/customer-actions.ts',
    from: 'Date.parse(freeCancellationUntil) < now.getTime())',
    to: 'Date.parse(freeCancellationUntil) > now.getTime())',
    killedBy: 'test/features/bookings/bookings-customers.test.ts',
  },
  {
    guarantee: 'Cancelling at the last free moment is free.',
    file: 'src/features/bookings/verbs/customer-actions.ts',
    from: 'Date.parse(freeCancellationUntil) < now.getTime())',
    to: 'Date.parse(freeCancellationUntil) <= now.getTime())',
    killedBy: 'test/features/bookings/bookings-customers.test.ts',
  },
  {
    guarantee: 'A booking that was never confirmed is refunded at any time.',
    file: 'src/features/bookings/verbs/customer-actions.ts',
    from: "status === 'confirmed' && (freeCancellationUntil",
    to: '(freeCancellationUntil',
    killedBy: 'test/features/bookings/bookings-customers.test.ts',
  },
  {
    guarantee: 'A late move does not make cancelling free again.',
    file: 'sql/functions/booking_object.sql',
    from: 'case when not booking.moved_late\n    then',
    to: 'case when booking.moved_late is not null\n    then',
    killedBy: 'test/features/bookings/moving-bookings.test.ts',
  },
  {
    guarantee: 'Free cancellation ends its hours before the start.',
    file: 'sql/functions/booking_object.sql',
    from: "booking.starts_at - booking.free_cancellation_hours * interval '1 hour'",
    to: "booking.starts_at - booking.free_cancellation_hours * interval '1 minute'",
    killedBy: 'test/features/bookings/bookings-customers.test.ts',
  },
  {
    guarantee: 'A pro who cancels refunds also what a late move kept.',
    file: 'src/features/bookings/verbs/pro-actions.ts',
    from: "{ reason, refund: 'cancelled', by: 'pro' }",
    to: "{ reason, refund: 'cancelled', keep: booking.freeCancellationUntil === null, by: 'pro' }",
    killedBy: 'test/features/bookings/pro-cancels.test.ts',
  },
  {
    guarantee: 'A deposit is a share of the price.',
    file: 'sql/functions/bookable.sql',
    from: 'round(price_cents * pro.deposit_percentage / 100)',
    to: 'round(price_cents * pro.deposit_percentage / 10)',
    killedBy: 'test/features/checkout/payments.test.ts',
  },
  {
    guarantee: 'A deposit is rounded to whole cents, not cut off.',
    file: 'sql/functions/bookable.sql',
    from: 'round(price_cents * pro.deposit_percentage / 100)',
    to: 'floor(price_cents * pro.deposit_percentage / 100)',
    killedBy: 'test/features/checkout/payments.test.ts',
  },
  {
    guarantee: 'The fee and the deposit are charged together.',
    file: 'sql/functions/payments.sql',
    from: '    fee_cents + deposit_cents, provider, booking.hold_expires_at',
    to: '    greatest(fee_cents, deposit_cents), provider, booking.hold_expires_at',
    killedBy: 'test/features/checkout/payments.test.ts',
  },
  {
    guarantee: 'A booking with a fee is held, not confirmed.',
    file: 'sql/functions/reserve_slot.sql',
    from: 'if fee_cents + deposit_cents > 0 then',
    to: 'if deposit_cents > 0 then',
    killedBy: 'test/features/checkout/payments.test.ts',
  },
  {
    guarantee: 'An unpaid payment of an ended booking shows as expired.',
    file: 'sql/functions/payments.sql',
    from: "case when is_over and payment.captured_at is null then 'expired'",
    to: "case when false then 'expired'",
    killedBy: 'test/features/quotes/quote-deposits.test.ts',
  },
  {
    guarantee: 'The payment of an ended hold expires with it.',
    file: 'sql/functions/lapse_holds.sql',
    from: "  update payments p set status = 'expired'\n  where p.professional_id = booking.professional_id and p.booking_id = booking.id and p.status in ('requires_payment', 'failed');\n",
    to: '',
    killedBy: 'test/features/checkout/payments.test.ts',
  },
]
