// The embedded payment provider for demos and tests. It moves no money; POST /sandbox/payments and the page /pay
// complete its payments.
import { randomBytes } from 'node:crypto'

import type { Ids } from '../platform/clock/clock.ts'
import type { PaymentProvider } from './provider.ts'

/** Opens the sandbox. It has no state of its own. */
export const openSandbox = ({ ids }: { ids: Ids }): PaymentProvider => ({
  name: 'sandbox',
  createIntent: () =>
    Promise.resolve({
      intentId: `sandbox_${ids.uuid()}`,
      clientSecret: `sandbox_secret_${randomBytes(24).toString('base64url')}`,
    }),
  refund: ({ refundId }) => Promise.resolve(`sandbox_refund_${refundId}`),
})
