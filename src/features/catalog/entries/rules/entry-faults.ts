// What is wrong with entries of the catalog, one by one and beside each other.
import { nameKey, wordsOf } from '../../services/words.ts'
import {
  PRICE_TYPES,
  type Catalog,
  type CategoryEntry,
  type CategoryFields,
  type EntryFault,
  type EntryKind,
  type ServiceEntry,
  type ServiceFields,
} from '../schemas.ts'
import { STARTER_SLUGS } from '../starter-set.ts'
import { questionFault } from './questions.ts'
import { isReservedSlug } from './reserved-slugs.ts'
import { unitOf } from './units.ts'

export const MAX_NAME = 200
export const MAX_SLUG = 100
export const MAX_SYNONYMS = 50
export const MAX_SYNONYM = 100
export const MAX_DESCRIPTION = 1000
export const MAX_UNIT = 40
export const DURATION_MINUTES = { minimum: 15, maximum: 720, multipleOf: 5 } as const

const SLUG = /^[a-z\d]+(-[a-z\d]+)*$/

type Faults = { path: keyof ServiceFields; isWrong: boolean; message: string }[]

/** The key under which names and slugs are compared: equal keys mean the same to a search. */
const keyOf = (text: string) => nameKey(wordsOf(text))

/** Every fault of the entries that a change touches. The others stay as they are. */
export function entryFaults(before: Catalog, after: Catalog): EntryFault[] {
  // The first fault of a field says enough.
  const faultsOf = (kind: EntryKind, id: string, faults: Faults): EntryFault[] =>
    faults
      .filter(
        ({ isWrong, path }, at, all) => isWrong && all.findIndex((one) => one.isWrong && one.path === path) === at,
      )
      .map(({ path, message }) => ({ kind, id, path, message }))
  const isTouched = <Entry extends CategoryEntry>(old: readonly Entry[], entry: Entry) => {
    const found = old.find(({ id }) => id === entry.id)
    return !found || !Bun.deepEquals(found, entry)
  }
  return [
    ...after.categories
      .filter((entry) => isTouched(before.categories, entry))
      .flatMap((entry) =>
        faultsOf('category', entry.id, [
          ...ownFaults(entry),
          ...slugFaults(before, after, entry),
          ...nameFaults(after.categories, entry),
          ...categoryFaults(after, entry),
        ]),
      ),
    ...after.services
      .filter((entry) => isTouched(before.services, entry))
      .flatMap((entry) =>
        faultsOf('service', entry.id, [
          ...ownFaults(entry),
          ...slugFaults(before, after, entry),
          ...nameFaults(after.services, entry),
          ...serviceFaults(after, entry),
        ]),
      ),
  ]
}

const ownFaults = ({ name, slug, synonyms }: CategoryFields): Faults => [
  {
    path: 'name',
    isWrong: name.trim() === '' || name.length > MAX_NAME,
    message: `must have 1 to ${MAX_NAME} characters`,
  },
  { path: 'name', isWrong: wordsOf(name).length === 0, message: 'must have a letter or a digit' },
  {
    path: 'slug',
    isWrong: !SLUG.test(slug) || slug.length > MAX_SLUG,
    message: `must be lower-case letters and digits with single hyphens, at most ${MAX_SLUG} characters, such as "drain-cleaning"`,
  },
  { path: 'slug', isWrong: isReservedSlug(slug), message: 'is the address of other pages. Choose another one' },
  {
    path: 'synonyms',
    isWrong: synonyms.length > MAX_SYNONYMS || synonyms.some((one) => one.length > MAX_SYNONYM || keyOf(one) === ''),
    message: `must be at most ${MAX_SYNONYMS}, each of 1 to ${MAX_SYNONYM} characters`,
  },
]

/** A slug leads to one entry, also when it is a former one. A category and a service of the starter set may share theirs. */
function slugFaults(before: Catalog, after: Catalog, entry: CategoryEntry): Faults {
  const isOwn = [...before.categories, ...before.services].some(
    ({ id, slug }) => id === entry.id && slug === entry.slug,
  )
  if (isOwn) return []
  const key = keyOf(entry.slug)
  const others = [...after.categories, ...after.services, ...before.categories, ...before.services].filter(
    ({ id }) => id !== entry.id,
  )
  const owner = others
    .filter((other) => !(isOfStarterSet(entry) && isOfStarterSet(other)))
    .find(({ slug, formerSlugs }) => [slug, ...formerSlugs].some((one) => keyOf(one) === key))
  const isFormer = owner !== undefined && keyOf(owner.slug) !== key
  return [
    {
      path: 'slug',
      isWrong: owner !== undefined,
      message: `${isFormer ? 'was the slug' : 'is the slug'} of “${owner?.name}”. Choose another one`,
    },
  ]
}

const isOfStarterSet = ({ id, slug }: CategoryEntry): boolean => STARTER_SLUGS.get(id) === slug

/** Two entries of one name could not be told apart. */
function nameFaults(all: readonly CategoryEntry[], entry: CategoryEntry): Faults {
  const isTaken = all.some(
    ({ id, name, active }) => id !== entry.id && active && entry.active && keyOf(name) === keyOf(entry.name),
  )
  return [{ path: 'name', isWrong: isTaken, message: 'is the name of another one. Choose another name' }]
}

const categoryFaults = ({ services }: Catalog, { id, active }: CategoryEntry): Faults => [
  {
    path: 'active',
    isWrong: !active && services.some((service) => service.categoryId === id && service.active),
    message: 'cannot change: the category has services that are offered. Retire or move them first',
  },
]

function serviceFaults({ categories }: Catalog, service: ServiceEntry): Faults {
  const { description, priceType, unit, durationMinutes, categoryId, active, questions } = service
  const category = categories.find(({ id }) => id === categoryId)
  const { minimum, maximum, multipleOf } = DURATION_MINUTES
  const fault = questionFault(questions)
  return [
    { path: 'categoryId', isWrong: !category, message: 'must be a category of the catalog' },
    {
      path: 'categoryId',
      isWrong: category?.active === false && active,
      message: 'is a retired category. Offer the category first, or choose another one',
    },
    {
      path: 'description',
      isWrong: description !== null && (description.trim() === '' || description.length > MAX_DESCRIPTION),
      message: `must have at most ${MAX_DESCRIPTION} characters`,
    },
    {
      path: 'priceType',
      isWrong: !PRICE_TYPES.includes(priceType),
      message: `must be one of ${PRICE_TYPES.join(', ')}`,
    },
    {
      path: 'unit',
      isWrong: priceType === 'hourly' && unit !== unitOf(priceType),
      message: `must be “${unitOf('hourly')}” with a price per hour`,
    },
    {
      path: 'unit',
      isWrong: priceType === 'flat' ? unit !== null : unit === null || unit.trim() === '' || unit.length > MAX_UNIT,
      message:
        priceType === 'flat' ? 'must be empty with a price for the visit' : `must have 1 to ${MAX_UNIT} characters`,
    },
    {
      path: 'durationMinutes',
      isWrong:
        !Number.isInteger(durationMinutes / multipleOf) || durationMinutes < minimum || durationMinutes > maximum,
      message: `must be ${minimum} to ${maximum}, in steps of ${multipleOf}`,
    },
    { path: 'questions', isWrong: fault !== undefined, message: fault ?? '' },
  ]
}
