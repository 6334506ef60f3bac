// Mutants of when a customer may be erased, and of what reaches them afterwards.
import type { Mutant } from './mutant.ts'

export const ERASURES: readonly Mutant[] = [
  {
    guarantee: 'A customer is not erased while a refund is on its way.',
    file: 'src/features/customers/privacy/queries/customer.ts',
    from: "f.status in ('pending', 'part', 'submitted', 'failed')",
    to: "f.status in ('pending', 'part', 'failed')",
    killedBy: 'test/features/customers/privacy/open-work.test.ts',
  },
  {
    guarantee: 'A customer is not erased while their bank asks money back.',
    file: 'src/features/customers/privacy/queries/customer.ts',
    from: "\n  or exists (select from payment_disputes d where d.payment_id = p.id and d.state = 'open'))",
    to: ')',
    killedBy: 'test/features/customers/privacy/open-work.test.ts',
  },
  {
    guarantee: 'A customer is not erased while agreed work goes on.',
    file: 'src/features/customers/privacy/queries/customer.ts',
    from: "j.status in ('scheduled', 'in_progress') order by",
    to: "j.status in ('scheduled') order by",
    killedBy: 'test/features/customers/privacy/open-work.test.ts',
  },
  {
    guarantee: 'A customer is not erased while an agent works with their records.',
    file: 'src/features/customers/privacy/queries/customer.ts',
    from: "run.status in ('queued', 'running') and",
    to: "run.status in ('queued') and",
    killedBy: 'test/features/customers/privacy/privacy.test.ts',
  },
  {
    guarantee: 'An erased customer is not told of a refund that the bank returns.',
    file: 'sql/functions/booking_message.sql',
    from: "b.id = told_id and b.customer_email not like '%@erased.invalid'",
    to: 'b.id = told_id',
    killedBy: 'test/features/customers/privacy/open-work.test.ts',
  },
  {
    guarantee: 'An erased customer is not told of a deposit that the bank returns.',
    file: 'sql/functions/booking_message.sql',
    from: "d.id = refund_id and r.customer_email not like '%@erased.invalid'",
    to: 'd.id = refund_id',
    killedBy: 'test/features/customers/privacy/open-work.test.ts',
    tests: 'deposit',
  },
  {
    guarantee: 'An erasure does not end the block of a customer.',
    file: 'sql/functions/blocked_customers.sql',
    from: 'c.email_digest = customer_digest(c.id, is_blocked_customer.email)',
    to: 'c.email_digest = customer_digest(c.id, c.id::text)',
    killedBy: 'test/features/customers/operator-customers/blocked-everywhere.test.ts',
    tests: 'of a blocked customer keeps the block',
  },
  {
    guarantee: 'An erasure replaces what operators wrote about the customer.',
    file: 'src/features/customers/privacy/queries/erasures.sql',
    from: 'where reason is not null and subject_id = (',
    to: 'where reason is null and subject_id = (',
    killedBy: 'test/features/customers/operator-customers/blocked-everywhere.test.ts',
    tests: 'of a blocked customer keeps the block',
  },
]
