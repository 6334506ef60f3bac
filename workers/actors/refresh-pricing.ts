// Keeps the price statistics up to date: many changes in one refresh, and a full recomputation once a day.
import { runPricingPass, getPricingLag, refreshPrices } from '../../src/features/catalog/pricing/verbs.ts'
import { type ActorContext, defineActor } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'

/** Changes within this time of the first share one refresh. */
const DEBOUNCE_MS = 500

export const refreshPricing = defineActor({
  name: 'refresh-pricing',
  periodic: [
    { name: 'changes', everyMs: 2000, wakeOn: 'prices_touched', due: 'prices', run: refresh },
    { name: 'pass', everyMs: 30_000, run: recompute },
  ],
  // The daily recomputation reads every price.
  databaseLimitMs: 600_000,
  open: (context) =>
    registerGauges(context, () => getPricingLag(context.ctx), {
      waiting: ['hearth_pricing_changes_waiting', 'Changed prices that the statistics lack'],
      oldestSeconds: ['hearth_pricing_lag_seconds', 'Age of the oldest changed price that the statistics lack'],
    }),
})

async function refresh({ ctx, log }: ActorContext): Promise<'nothing' | void> {
  await Bun.sleep(DEBOUNCE_MS)
  const changes = await refreshPrices(ctx)
  if (changes === 0) return 'nothing'
  log.debug({ changes }, 'price statistics refreshed')
}

async function recompute({ ctx, log }: ActorContext): Promise<'nothing' | void> {
  const result = await runPricingPass(ctx)
  if (!result) return 'nothing'
  if (result.drift) log.warn(result, 'price statistics had drifted and were corrected')
  else log.info(result, 'price statistics were correct')
}

if (import.meta.main) await runActor(refreshPricing)
