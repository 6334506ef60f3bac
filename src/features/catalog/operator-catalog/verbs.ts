// Operators' programs read and change the catalog, as the pages of the console do, once per Idempotency-Key.
import { type OperatorCaller, operatorOf } from '../../../auth/caller.ts'
import type { Ctx } from '../../../ctx.ts'
import { inBody } from '../../../http/field-errors.ts'
import { runOnce } from '../../../idempotency/verbs.ts'
import { entryVersion, slugOfName } from '../entries/rules/changes.ts'
import { normalQuestions } from '../entries/rules/questions.ts'
import type { CategoryEntry, ServiceEntry } from '../entries/schemas.ts'
import { getCatalog } from '../entries/verbs/edit-catalog.ts'
import {
  addCategory,
  addService,
  changeCategory,
  changeService,
  getCategoryEntry,
  getServiceEntry,
} from '../entries/verbs/entries.ts'
import { mergeCategory, mergeService } from '../entries/verbs/merge.ts'
import type {
  CategoryAnswer,
  CategoryChange,
  EntryMerge,
  MergeAnswer,
  NewCategory,
  NewService,
  PlatformCatalog,
  PlatformCategory,
  PlatformService,
  ServiceAnswer,
  ServiceChange,
} from './schemas.ts'

type ByOperator = Ctx<OperatorCaller>

/** Every category and service in order, also those that are retired. */
export async function readCatalogAsOperator(ctx: Ctx): Promise<PlatformCatalog> {
  const { categories, services } = await getCatalog(ctx)
  return { categories: categories.map(shownCategory), services: services.map(shownService) }
}

/** Adds a category, whose slug follows from the name unless it is given. Throws validation_failed. */
export const addCategoryAsOperator = (ctx: ByOperator, input: NewCategory): Promise<CategoryAnswer> =>
  inBody(() =>
    runOnce(ctx, { operation: 'addCategoryAsOperator', request: input }, async (ctx) => {
      const { slug = slugOfName(input.name), synonyms = [] } = input
      const id = await addCategory(ctx, { by: operatorOf(ctx), ...input, slug, synonyms, active: true })
      return await categoryAnswer(ctx, id)
    }),
  )

/** Adds a service, whose slug follows from the name unless it is given. Throws validation_failed. */
export const addServiceAsOperator = (ctx: ByOperator, input: NewService): Promise<ServiceAnswer> =>
  inBody(() =>
    runOnce(ctx, { operation: 'addServiceAsOperator', request: input }, async (ctx) => {
      const { slug = slugOfName(input.name), synonyms = [], description = null, unit = null, atCustomer = true } = input
      const usual = { slug, synonyms, description, unit, atCustomer, questions: normalQuestions(input.questions ?? []) }
      const id = await addService(ctx, { by: operatorOf(ctx), ...input, ...usual, active: true })
      return await serviceAnswer(ctx, id)
    }),
  )

/** Changes a category. Throws not_found, invalid_transition for another version, and validation_failed. */
export const changeCategoryAsOperator = (
  ctx: ByOperator,
  { id, version: seen, ...fields }: { id: string } & CategoryChange,
): Promise<CategoryAnswer> =>
  inBody(() =>
    ctx.transaction('changeCategoryAsOperator', async (ctx) => {
      await changeCategory(ctx, { by: operatorOf(ctx), id, seen, ...fields })
      return await categoryAnswer(ctx, id)
    }),
  )

/** Changes a service. Throws as {@link changeCategoryAsOperator}. */
export const changeServiceAsOperator = (
  ctx: ByOperator,
  { id, version: seen, questions, ...fields }: { id: string } & ServiceChange,
): Promise<ServiceAnswer> =>
  inBody(() =>
    ctx.transaction('changeServiceAsOperator', async (ctx) => {
      const asked = questions && { questions: normalQuestions(questions) }
      await changeService(ctx, { by: operatorOf(ctx), id, seen, ...fields, ...asked })
      return await serviceAnswer(ctx, id)
    }),
  )

/** Makes a category part of another one. Throws not_found and validation_failed. */
export const mergeCategoryAsOperator = (ctx: ByOperator, merge: { id: string } & EntryMerge): Promise<MergeAnswer> =>
  inBody(() =>
    runOnce(ctx, { operation: 'mergeCategoryAsOperator', request: merge }, async (ctx) => ({
      isComplete: await mergeCategory(ctx, { by: operatorOf(ctx), ...merge }),
    })),
  )

/** Makes a service part of another one. Throws not_found and validation_failed. */
export const mergeServiceAsOperator = (ctx: ByOperator, merge: { id: string } & EntryMerge): Promise<MergeAnswer> =>
  inBody(() =>
    runOnce(ctx, { operation: 'mergeServiceAsOperator', request: merge }, async (ctx) => ({
      isComplete: await mergeService(ctx, { by: operatorOf(ctx), ...merge }),
    })),
  )

const categoryAnswer = async (ctx: Ctx, id: string): Promise<CategoryAnswer> => ({
  category: shownCategory((await getCategoryEntry(ctx, { id })).category),
})

const serviceAnswer = async (ctx: Ctx, id: string): Promise<ServiceAnswer> => ({
  service: shownService((await getServiceEntry(ctx, { id })).service),
})

const shownEntry = (entry: CategoryEntry | ServiceEntry) => ({
  id: entry.id,
  slug: entry.slug,
  name: entry.name,
  synonyms: [...entry.synonyms],
  active: entry.active,
  formerSlugs: [...entry.formerSlugs],
  mergedInto: entry.mergedInto,
  version: entryVersion(entry),
})

const shownCategory = (entry: CategoryEntry): PlatformCategory => shownEntry(entry)

const shownService = (entry: ServiceEntry): PlatformService => ({
  ...shownEntry(entry),
  categoryId: entry.categoryId,
  description: entry.description,
  priceType: entry.priceType,
  unit: entry.unit,
  durationMinutes: entry.durationMinutes,
  atCustomer: entry.atCustomer,
  questions: entry.questions.map(({ question, required, choices }) => ({ question, required, choices: [...choices] })),
})
