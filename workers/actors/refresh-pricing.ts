// Keeps the statistics of prices in step: many changes in one refresh, and everything anew once a day.
import { correctPrices, pricingLag, refreshPrices } from '../../src/features/pricing/verbs.ts'
import { type ActorContext, defineActor } from '../runtime/actor.ts'
import { gaugesOf } from '../runtime/observe.ts'
import { runActor } from '../runtime/process.ts'

/** Changes that come within this time of the first are one refresh. */
const GATHER_MS = 500

export const refreshPricing = defineActor({
  name: 'refresh-pricing',
  every: [
    { name: 'changes', everyMs: 2000, wokenBy: 'prices_touched', run: refresh },
    { name: 'pass', everyMs: 30_000, run: pass },
  ],
  // The daily pass reads every price there is.
  databaseLimitMs: 600_000,
  open: (context) =>
    gaugesOf(context, () => pricingLag(context.deps), {
      waiting: ['hearth_pricing_changes_waiting', 'Changed prices that the statistics lack'],
      oldestSeconds: ['hearth_pricing_lag_seconds', 'Age of the oldest changed price that the statistics lack'],
    }),
})

async function refresh({ deps, log }: ActorContext): Promise<void> {
  await Bun.sleep(GATHER_MS)
  const changes = await refreshPrices(deps)
  if (changes > 0) log.debug({ changes }, 'prices refreshed')
}

async function pass({ deps, log }: ActorContext): Promise<void> {
  const done = await correctPrices(deps)
  if (done?.drift) log.warn(done, 'statistics of prices had drifted and were corrected')
  else if (done) log.info(done, 'statistics of prices were all correct')
}

if (import.meta.main) await runActor(refreshPricing)
