// The check of money: refunds that failed, differences from the payment provider, and the age of the last comparison.
import type { Ctx } from '../../ctx.ts'
import { getPaymentHealth } from '../../features/money/checkout/verbs/reconciliation.ts'
import { plural } from '../../platform/text/format.ts'
import { type Finding, fault, ok } from './finding.ts'

const SUBJECT = 'money'
const TWO_DAYS_SECONDS = 2 * 86_400

/** What an operator has to do about money. */
export async function checkMoney(ctx: Ctx): Promise<Finding> {
  const { failedRefunds, differences, openDisputes, comparedSeconds } = await getPaymentHealth(ctx)
  const waiting = [
    ...(failedRefunds > 0 ? [`${plural(failedRefunds, 'refund')} failed`] : []),
    ...(differences > 0 ? [`${plural(differences, 'payment')} differ from the provider`] : []),
  ]
  if (waiting.length > 0) return fault(SUBJECT, waiting.join(', '), 'see /console/payments')
  if (ctx.config.stripe && (comparedSeconds ?? 0) > TWO_DAYS_SECONDS)
    return fault(
      SUBJECT,
      `last compared with the provider ${Math.floor((comparedSeconds ?? 0) / 86_400)} days ago`,
      'see the log of sweep-expired',
    )
  return ok(SUBJECT, openDisputes > 0 ? `${plural(openDisputes, 'dispute')} open` : 'nothing waits for an operator')
}
