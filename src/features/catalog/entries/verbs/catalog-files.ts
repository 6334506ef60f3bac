// The catalog comes from a file, and is written to one. Entries of the file are added or changed; others stay.
import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { checked } from '../../../../http/field-errors.ts'
import type { OperatorId } from '../../../upkeep/audit/verbs.ts'
import { CatalogFile, type FileCategory, type FileService, toFile } from '../rules/catalog-file.ts'
import { normalFields } from '../rules/normal-fields.ts'
import { normalQuestions } from '../rules/questions.ts'
import { freeCategoryOrdinal, freeServiceOrdinal } from '../rules/ordinals.ts'
import { reordered } from '../rules/order.ts'
import type { Catalog, CatalogChange, CategoryEntry, ServiceEntry } from '../schemas.ts'
import { editCatalog, getCatalog } from './edit-catalog.ts'

/** All categories and services as a file, with their ids. */
export const exportCatalog = async (ctx: Ctx): Promise<CatalogFile> => toFile(await getCatalog(ctx))

/**
 * Adds and changes what the file names, by id or else by slug, and puts it into the order of the file. Deletes nothing. Returns what
 * changed; with `isDryRun`, what would. Throws validation_failed, which names every field by its place in the file.
 */
export async function importCatalog(
  ctx: Ctx,
  { by, file, isDryRun }: { by: OperatorId; file: unknown; isDryRun: boolean },
): Promise<CatalogChange[]> {
  const { categories } = checked(CatalogFile, file)
  /** The ids of new entries stay the same when the transaction runs once more. */
  const newIds = new Map<object, string>()
  const idFor = (entry: object) => {
    const id = newIds.get(entry) ?? ctx.ids.uuid()
    newIds.set(entry, id)
    return id
  }
  const places = new Map<string, string>()
  return await editCatalog(ctx, {
    by,
    isDryRun,
    edit: (catalog) => {
      places.clear()
      return merged(catalog, { categories, idFor, places })
    },
    pathOf: ({ kind, id, path }) => `${places.get(id) ?? `${kind} ${id}`}.${path}`,
  })
}

interface Merging {
  categories: readonly FileCategory[]
  idFor: (entry: object) => string
  /** Where an entry stands in the file, by id. */
  places: Map<string, string>
}

function merged(catalog: Catalog, { categories: wanted, idFor, places }: Merging): Catalog {
  const categories = new Map(catalog.categories.map((entry) => [entry.id, entry]))
  const services = new Map(catalog.services.map((entry) => [entry.id, entry]))
  const placed = (id: string, place: string) => {
    const first = places.get(id)
    if (first !== undefined) throw invalidField(place, `is the entry of ${first} once more`)
    places.set(id, place)
  }
  const order = new Map<string, string[]>()
  for (const [at, category] of wanted.entries()) {
    const id = category.id ?? idBySlug(catalog.categories, category.slug) ?? idFor(category)
    placed(id, `categories.${at}`)
    categories.set(id, categoryFrom(categories, { ...category, id }, `categories.${at}`))
    const named = (category.services ?? []).map((service, index) => {
      const own = service.id ?? idBySlug(catalog.services, service.slug) ?? idFor(service)
      placed(own, `categories.${at}.services.${index}`)
      services.set(own, serviceFrom(services, { ...service, id: own }, id))
      return own
    })
    order.set(id, named)
  }
  const categoryIds = reordered(
    catalog.categories.map(({ id }) => id),
    [...order.keys()],
  )
  const serviceIds = categoryIds.flatMap((id) => {
    // A service that comes from another category has no place among its new neighbours yet.
    const stayed = catalog.services.filter((old) => old.categoryId === id && services.get(old.id)?.categoryId === id)
    return reordered(
      stayed.map((old) => old.id),
      order.get(id) ?? [],
    )
  })
  return {
    categories: categoryIds.flatMap((id) => categories.get(id) ?? []),
    services: serviceIds.flatMap((id) => services.get(id) ?? []),
  }
}

const idBySlug = (entries: readonly CategoryEntry[], slug: string) => entries.find((entry) => entry.slug === slug)?.id

function categoryFrom(
  categories: ReadonlyMap<string, CategoryEntry>,
  category: FileCategory & { id: string },
  place: string,
): CategoryEntry {
  const { services: _, ...given } = category
  const old = categories.get(given.id)
  const ordinal = old?.ordinal ?? freeCategoryOrdinal([...categories.values()])
  if (ordinal === undefined) throw invalidField(place, 'is one too many: a catalog has at most 99 categories')
  const usual = { synonyms: [], active: true, position: null, formerSlugs: [], mergedInto: null, replacedAt: null }
  return { ...usual, ...old, ...normalFields(given), ordinal }
}

function serviceFrom(
  services: ReadonlyMap<string, ServiceEntry>,
  given: FileService & { id: string },
  categoryId: string,
): ServiceEntry {
  const { questions: asked, ...rest } = given
  const old = services.get(given.id)
  const usual = {
    synonyms: [],
    active: true,
    position: null,
    formerSlugs: [],
    mergedInto: null,
    replacedAt: null,
    description: null,
    priceType: 'flat' as const,
    unit: null,
    durationMinutes: 60,
    atCustomer: true,
    questions: [],
  }
  const ordinal = old?.ordinal ?? freeServiceOrdinal([...services.values()])
  const isMoved = old !== undefined && old.categoryId !== categoryId
  // The unit of another kind of price means nothing.
  const isPricedAnew = given.unit === undefined && given.priceType !== undefined && given.priceType !== old?.priceType
  const fields = normalFields({
    ...rest,
    ...(isPricedAnew && { unit: null }),
    ...(asked && { questions: normalQuestions(asked) }),
  })
  return { ...usual, ...old, ...fields, ordinal, categoryId, ...(isMoved && { position: null }) }
}
