// Mutants of quotes and agent tasks.
import type { Mutant } from './mutant.ts'

export const QUOTES: readonly Mutant[] = [
  {
    guarantee: 'The amount of a quote is the sum of its line items.',
    file: 'src/features/quotes/verbs/check-money.ts',
    from: 'sum === toCents(amount)) return []',
    to: 'sum >= 0) return []',
    killedBy: 'test/features/quotes/quotes.test.ts',
  },
  {
    guarantee: 'A line item costs its quantity times its unit price.',
    file: 'src/features/quotes/verbs/check-money.ts',
    from: '< 0.5 + 1e-6',
    to: '< 50 + 1e-6',
    killedBy: 'test/features/quotes/quotes.test.ts',
  },
  {
    guarantee: 'Amounts of quotes are in whole cents.',
    file: 'src/platform/schema/money.ts',
    from: '< 1e-6',
    to: '< 1',
    killedBy: 'test/features/quotes/quotes.test.ts',
  },
  {
    guarantee: 'A deposit of a quote needs a percentage.',
    file: 'src/features/quotes/verbs/check-money.ts',
    from: "return depositRequired ? [{ path, message: 'is required with depositRequired: true' }] : []",
    to: 'return []',
    killedBy: 'test/features/quotes/quotes.test.ts',
  },
  {
    guarantee: 'A quote with a deposit is accepted only when it is paid.',
    file: 'src/features/quotes/verbs/customer-link.ts',
    from: 'if (locked.depositCents === 0) return',
    to: 'if (locked.depositCents >= 0) return',
    killedBy: 'test/features/quotes/quote-deposits.test.ts',
  },
  {
    guarantee: 'Tasks are paid from the allowance before prepaid ones.',
    file: 'sql/functions/metering.sql',
    from: "order by a.name = 'prepaid' limit 1",
    to: "order by a.name <> 'prepaid' limit 1",
    killedBy: 'test/features/metering/metering.test.ts',
  },
  {
    guarantee: 'A larger plan adds only the difference.',
    file: 'sql/functions/metering.sql',
    from: 'plan_allowance(grant_allowance.plan) - coalesce(sum(t.amount), 0) as amount',
    to: 'plan_allowance(grant_allowance.plan) as amount',
    killedBy: 'test/features/metering/metering.test.ts',
  },
  {
    guarantee: 'A stuck task is released after its deadline, not before.',
    file: 'sql/functions/metering.sql',
    from: "where t.status = 'reserved' and t.deadline_at <= as_of",
    to: "where t.status = 'reserved'",
    killedBy: 'test/features/metering/metering.test.ts',
  },
  {
    guarantee: 'A new month has an allowance of its own.',
    file: 'sql/functions/metering.sql',
    from: "if ledger.month = to_char(pro.month, 'YYYY-MM') and ledger.month_ends_at > as_of then",
    to: "if ledger.month_ends_at > as_of - interval '40 days' then",
    killedBy: 'test/features/metering/metering.test.ts',
  },
  {
    guarantee: 'A month begins at local midnight of the pro.',
    file: 'sql/functions/metering.sql',
    from: "date_trunc('month', as_of at time zone p.time_zone)",
    to: "date_trunc('month', as_of at time zone 'UTC')",
    killedBy: 'test/features/metering/months.test.ts',
  },
  {
    guarantee: 'A business has 1,000 tasks a month, a verified pro 100.',
    file: 'sql/functions/metering.sql',
    from: "when 'verified' then 100",
    to: "when 'verified' then 1000",
    killedBy: 'test/features/metering/metering.test.ts',
  },
]
