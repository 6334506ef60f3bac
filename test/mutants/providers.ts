// Mutants of payment providers: whose payment it is, and what a site without a provider takes.
import type { Mutant } from './mutant.ts'

export const PROVIDERS: readonly Mutant[] = [
  {
    guarantee: 'The sandbox never handles a payment of Stripe.',
    file: 'src/payments/open-provider.ts',
    from: "const provider = name === 'sandbox' ? sandboxOf(deps) : stripeOf(deps)",
    to: "const provider = name === 'sandbox' ? sandboxOf(deps) : (stripeOf(deps) ?? sandboxOf(deps))",
    killedBy: 'test/payments/own-provider.test.ts',
  },
  {
    guarantee: 'A refund of a provider that a process lacks stays due for one that has it.',
    file: 'src/payments/open-provider.ts',
    from: "stripe ? ['sandbox', 'stripe'] : ['sandbox']",
    to: "stripe ? ['sandbox', 'stripe'] : ['sandbox', 'stripe' as const]",
    killedBy: 'test/payments/own-provider.test.ts',
  },
  {
    guarantee: 'A worker that handles payments does not start without the provider of open ones.',
    file: 'workers/runtime/process.ts',
    from: 'if (actors.some(({ handlesPayments }) => handlesPayments))',
    to: "if (actors.some(({ handlesPayments, name }) => handlesPayments && name === ''))",
    killedBy: 'test/payments/own-provider.test.ts',
  },
  {
    guarantee: 'A server does not start without the provider of open payments.',
    file: 'src/server.ts',
    from: '    checkOnceReachable(() => checkProviders(ctxOf(deps)), exitBecause),',
    to: '',
    killedBy: 'test/payments/own-provider.test.ts',
  },
  {
    guarantee: 'In production without a provider, the sandbox takes nothing.',
    file: 'src/payments/open-provider.ts',
    from: "stripe ? 'stripe' : environment === 'production' ? undefined : 'sandbox'",
    to: "stripe ? 'stripe' : environment === 'production' ? 'sandbox' : 'sandbox'",
    killedBy: 'test/payments/without-provider.test.ts',
  },
  {
    guarantee: 'In production, the sandbox takes no payment to a real pro that was started before.',
    file: 'src/payments/verbs/payments.ts',
    from: "config.environment !== 'production' ||",
    to: "config.environment !== 'staging' as string ||",
    killedBy: 'test/payments/without-provider.test.ts',
  },
  {
    guarantee: 'A booking that cannot be paid holds no time.',
    file: 'sql/functions/reserve_slot.sql',
    from: 'if terms.provider is null and pro.test_account_id is null then',
    to: 'if terms.provider is null and pro.id is null then',
    killedBy: 'test/payments/without-provider.test.ts',
  },
  {
    guarantee: 'Times that cannot be paid are not offered.',
    file: 'src/features/booking/bookings/rules/bookable.ts',
    from: 'dueNow > 0 && !canPay ?',
    to: 'dueNow < 0 && !canPay ?',
    killedBy: 'test/payments/without-provider.test.ts',
  },
  {
    guarantee: 'A deposit that is too small to be paid is not asked.',
    file: 'sql/functions/bookable.sql',
    from: 'case when share < 50',
    to: 'case when share < 5',
    killedBy: 'test/payments/small-deposits.test.ts',
  },
  {
    guarantee: 'A fee that is too small to be paid is refused at the start.',
    file: 'src/config.ts',
    from: 'cents > 0 && cents < MINIMUM_PAYMENT_CENTS',
    to: 'cents > 0 && cents < 1',
    killedBy: 'test/payments/small-deposits.test.ts',
  },
  {
    guarantee: 'A refusal of the provider is no outage.',
    file: 'src/payments/stripe-errors.ts',
    from: "[errors.StripeCardError, 'declined']",
    to: "[errors.StripeCardError, 'temporary']",
    killedBy: 'test/payments/refusals.test.ts',
  },
  {
    guarantee: 'A payment that the provider refuses holds no time.',
    file: 'src/features/booking/bookings/verbs/create-booking.ts',
    from: "(!ctx.idempotency || error.code === 'payment_refused')",
    to: '!ctx.idempotency',
    killedBy: 'test/payments/refusals.test.ts',
  },
]
