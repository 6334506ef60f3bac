// The check of payments: whether they have a provider, and whether all processes have the same one.
import type { Ctx } from '../../ctx.ts'
import { listReportedLabels } from '../../features/upkeep/operations/verbs/reported-labels.ts'
import { PROVIDER_METRIC, describeProvider, newPaymentProvider } from '../../payments/open-provider.ts'
import { findUnhandled } from '../../payments/verbs/check-providers.ts'
import { type Finding, fault, ok } from './finding.ts'

const SUBJECT = 'payments'
const VARIABLES = 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET'

export async function checkPayments(ctx: Ctx): Promise<Finding[]> {
  const [own, processes, { payments, refunds }] = [
    describeProvider(ctx.config),
    await listReportedLabels(ctx, { metric: PROVIDER_METRIC, label: 'provider' }),
    await findUnhandled(ctx),
  ]
  const different = processes.filter(({ value }) => value !== own)
  if (different.length > 0)
    return [
      fault(
        SUBJECT,
        `this configuration has the provider ${own}, but ${different.map(({ process, value }) => `${process} has ${value}`).join(', ')}`,
        `give all servers and workers the same ${VARIABLES}, and restart them`,
      ),
    ]
  if (payments + refunds > 0)
    return [fault(SUBJECT, `${payments} open payments and ${refunds} refunds wait for Stripe`, `set ${VARIABLES}`)]
  if (newPaymentProvider(ctx.config) === undefined)
    return [fault(SUBJECT, 'no provider: what costs money is refused', `set ${VARIABLES}`)]
  return [ok(SUBJECT, own)]
}
