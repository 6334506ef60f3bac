// Mutants of the marketplace's defaults.
import type { Mutant } from './mutant.ts'

const DEFAULTS = 'test/web/console/marketplace-defaults.test.ts'
const REVIEW_POLICY = 'test/features/reviews/reviews/review-policy.test.ts'

export const MARKETPLACE_DEFAULTS: readonly Mutant[] = [
  {
    guarantee: 'The fee that the environment sets wins over the one that an operator chose.',
    file: 'src/features/upkeep/marketplace/rules/defaults.ts',
    from: 'feeCents: instantBookingFeeCents ?? feeCents',
    to: 'feeCents: feeCents ?? instantBookingFeeCents',
    killedBy: DEFAULTS,
  },
  {
    guarantee: 'A booking waits for its payment as long as an operator chose.',
    file: 'src/features/upkeep/marketplace/rules/defaults.ts',
    from: 'chosen.holdMinutes * 60',
    to: '15 * 60',
    killedBy: DEFAULTS,
  },
  {
    guarantee: 'A new booking keeps the hours of free cancellation that hold when it is made.',
    file: 'src/features/booking/bookings/verbs/create-booking.ts',
    from: '    freeCancellationHours,\n',
    to: '    freeCancellationHours: Math.min(freeCancellationHours, 24),\n',
    killedBy: DEFAULTS,
  },
  {
    guarantee: 'A pro may not newly ask for a deposit above the limit.',
    file: 'src/features/booking/bookings/rules/deposits.ts',
    from: '(percentage >= min && percentage <= max)',
    to: 'percentage >= min',
    killedBy: DEFAULTS,
  },
  {
    guarantee: 'A deposit that was set before the limits changed stays.',
    file: 'src/features/calendar/schedule/schemas.ts',
    from: 'const isNew = depositPercentage !== current.depositPercentage',
    to: 'const isNew = depositPercentage !== null',
    killedBy: DEFAULTS,
  },
  {
    guarantee: 'The page does not change what the environment sets.',
    file: 'src/web/console/marketplace-defaults.tsx',
    from: '...(locked.feeCents === undefined && {',
    to: '...(fee !== undefined && {',
    killedBy: DEFAULTS,
  },
  {
    guarantee: 'Reviews are published unread only if an operator chose that.',
    file: 'src/features/reviews/reviews/queries/proof.sql',
    from: "  and (select review_policy from marketplace_versions order by version desc limit 1) = 'verified_at_once'\n",
    to: '',
    killedBy: REVIEW_POLICY,
  },
  {
    guarantee: 'Only verified reviews are published unread.',
    file: 'src/features/reviews/reviews/queries/proof.sql',
    from: "r.status = 'pending' and r.verified",
    to: "r.status = 'pending'",
    killedBy: REVIEW_POLICY,
  },
  {
    guarantee: 'A review that is taken down counts no more.',
    file: 'sql/functions/review_stats.sql',
    from: "when (old.status = 'approved' and new.status <> 'approved') execute",
    to: "when (old.status = 'approved' and new.status = 'pending') execute",
    killedBy: REVIEW_POLICY,
  },
]
