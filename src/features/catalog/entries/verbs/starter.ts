// Operators fill the catalog from the starter set.
import type { Ctx } from '../../../../ctx.ts'
import type { OperatorId } from '../../../upkeep/audit/verbs.ts'
import { type StarterCategory, starterSet, withStarters } from '../rules/starter.ts'
import type { CatalogChange } from '../schemas.ts'
import type { CatalogService } from '../starter-set.ts'
import { editCatalog, getCatalog } from './edit-catalog.ts'

/** Every category and service of the starter set, and what the catalog has of them. */
export const listStarters = async (ctx: Ctx): Promise<StarterCategory[]> => starterSet(await getCatalog(ctx))

/**
 * Adds the services that the catalog lacks, with their categories, and returns what is new: nothing the second time. What the catalog
 * has stays as it is. Throws validation_failed for a category that is retired.
 */
export const addStarters = (
  ctx: Ctx,
  { by, services, isDryRun = false }: { by: OperatorId; services: readonly CatalogService[]; isDryRun?: boolean },
): Promise<CatalogChange[]> =>
  editCatalog(ctx, { by, isDryRun, edit: (catalog) => withStarters(catalog, services), pathOf: () => 'only' })
