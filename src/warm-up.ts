// What a server does before it listens, so that its first requests need not wait for what is done once.
import { PUBLIC } from './auth/caller.ts'
import { type Ctx, ctxOf } from './ctx.ts'
import type { Deps } from './deps.ts'
import { AppError } from './errors/app-error.ts'
import { listOpenSlots } from './features/calendar/availability/verbs.ts'
import { loadAndCompareZones } from './features/calendar/time-zones/verbs.ts'
import { getCatalogNames } from './features/catalog/services/verbs/names.ts'
import { getPro } from './features/search/pros/verbs/pros.ts'
import { findPros } from './features/search/pros/verbs/search.ts'
import { loadMarketplace } from './features/upkeep/marketplace/verbs.ts'
import { readinessOf } from './http/health.ts'
import { StoreUnavailable } from './platform/store-error.ts'

/**
 * Loads what the marketplace says of itself, the time zones, and the names of the catalog, whose index takes half a second, in which a
 * request would wait with all others; then has each connection to PostgreSQL plan the statements of most reads, which takes it 20 to
 * 45 ms each. Throws {@link StoreUnavailable} while the database lacks this release's migrations.
 */
export async function prepareFirstRequests(deps: Deps): Promise<void> {
  const ctx = ctxOf(deps)
  if ((await readinessOf(deps).failedChecks()).includes('migrations')) throw new StoreUnavailable('postgres')
  await Promise.all([loadAndCompareZones(ctx), getCatalogNames(ctx), loadMarketplace(ctx)])
  for (const ask of [search, askForPro, askForTimes])
    // The pool gives each of as many statements as it has connections one of its own.
    await Promise.all(Array.from({ length: deps.config.databaseConnections }, () => ask(ctx).catch(ignoreRefusal)))
}

/** No pro has this id. */
const ABSENT = '00000000-0000-0000-0000-000000000000'

const search = (ctx: Ctx) => findPros(ctx.as(PUBLIC), { lat: 0, lng: 0 })
const askForPro = (ctx: Ctx) => getPro(ctx.as(PUBLIC), { pro: ABSENT })
const askForTimes = (ctx: Ctx) => listOpenSlots(ctx.as(PUBLIC), { pro: ABSENT })

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}
