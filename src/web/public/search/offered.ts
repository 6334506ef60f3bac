// What the marketplace offers as a whole, for the first page and the fields of a search: kept until it changes.
import { PUBLIC } from '../../../auth/caller.ts'
import { type Ctx, ctxOf } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import { listServices } from '../../../features/catalog/services/verbs/catalog.ts'
import { findPros } from '../../../features/search/pros/verbs/search.ts'
import { trackedLoad } from '../../../platform/postgres/tracked-load.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import type { Categories } from './form.tsx'

/** Notifications of the catalog are sent after the commit, and may be lost with the process that sends them. */
const MAX_AGE_MS = 1000

/** All services by category, and the number of pros that a search finds. */
export const getOffered = (ctx: Ctx): Promise<{ categories: Categories; pros: number }> => loaderOf(ctx)()

const loaderOf = oncePerDeps((deps) =>
  trackedLoad(
    deps.notifications.track({
      name: 'offered',
      channels: ['catalog_changed', 'catalog_names_changed'],
      maxAgeMs: MAX_AGE_MS,
    }),
    async () => {
      const ctx = ctxOf(deps)
      const [{ categories }, pros] = await Promise.all([listServices(ctx, {}), countPros(ctx)])
      return { categories, pros }
    },
  ),
)

async function countPros(ctx: Ctx): Promise<number> {
  // SQL builds the JSON after the schema of this type.
  const { meta } = JSON.parse(await findPros(ctx.as(PUBLIC), { limit: 1, offset: 0 })) as { meta: PageMeta }
  return meta.total
}
