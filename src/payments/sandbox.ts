// The embedded provider of demos and tests: its money is not real, its payments are completed by POST /sandbox/payments
// or on the page /pay.
import { randomBytes } from 'node:crypto'

import type { Ids } from '../platform/clock/clock.ts'
import type { PaymentProvider } from './provider.ts'

/** Opens the sandbox. It keeps nothing: what was paid is in our own payments. */
export const openSandbox = ({ ids }: { ids: Ids }): PaymentProvider => ({
  name: 'sandbox',
  createIntent: () =>
    Promise.resolve({
      intentId: `sandbox_${ids.uuid()}`,
      clientSecret: `sandbox_secret_${randomBytes(24).toString('base64url')}`,
    }),
  refund: ({ refundId }) => Promise.resolve(`sandbox_refund_${refundId}`),
})
