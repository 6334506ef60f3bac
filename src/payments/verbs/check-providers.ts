// Whether this process can handle the payments that are open: each belongs to the provider that made it.
import type { Ctx } from '../../ctx.ts'
import { ConfigError } from '../../platform/environment.ts'
import { isOldSchema } from '../../platform/store-error.ts'
import { configuredProviders } from '../open-provider.ts'
import { countUnhandled } from '../queries/payments.ts'

/**
 * Throws {@link ConfigError} when open payments or refunds that are not made yet belong to a provider that is not configured.
 * A database that is not migrated yet has none.
 */
export async function checkProviders(ctx: Ctx): Promise<void> {
  const { payments, refunds } = await findUnhandled(ctx).catch((error: unknown) => {
    if (isOldSchema(error)) return { payments: 0, refunds: 0 }
    throw error
  })
  if (payments + refunds === 0) return
  throw new ConfigError(
    `STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set: ${payments} open payments and ${refunds} refunds belong to Stripe.`,
  )
}

/** How many open payments and unfinished refunds wait for a provider that this process lacks. */
export const findUnhandled = (ctx: Ctx) =>
  countUnhandled(ctx, { providers: configuredProviders(ctx.config), now: ctx.clock.now() })
