// Properties of a client: made, read, changed, deleted, by their owner alone.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { IdempotencyContext } from '../../idempotency/context.ts'
import { namesOf } from '../catalog/verbs/names.ts'
import { runIdempotently } from '../../idempotency/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../platform/schema/paging.ts'
import type { NewProperty, PropertiesPage, Property } from './schemas.ts'
import {
  type PropertyValues,
  deletePropertyById,
  findProperty,
  insertProperty,
  selectProperties,
  updateProperty,
} from './queries.ts'

/** Makes a property of the account. Throws validation_failed for a state that is none. */
export async function createProperty(
  deps: Deps,
  accountId: string,
  wish: NewProperty,
  once?: IdempotencyContext,
): Promise<Property> {
  const values = await valuesOf(deps, wish)
  return await runIdempotently(deps, once, { accountId, operation: 'createProperty', request: wish }, (tx) =>
    insertProperty(tx, accountId, deps.ids.uuid(), values, deps.clock.now()),
  )
}

/** Replaces all values of a property. Throws property_not_found, and validation_failed like {@link createProperty}. */
export async function replaceProperty(deps: Deps, accountId: string, id: string, wish: NewProperty): Promise<Property> {
  const changed = await updateProperty(deps.write, accountId, id, await valuesOf(deps, wish), deps.clock.now())
  if (!changed) throw propertyNotFound()
  return changed
}

/** Throws property_not_found. */
export async function getProperty({ read }: Deps, accountId: string, id: string): Promise<Property> {
  const found = await findProperty(read, accountId, id)
  if (!found) throw propertyNotFound()
  return found
}

/** Throws property_not_found. */
export async function deleteProperty({ write }: Deps, accountId: string, id: string): Promise<void> {
  if (!(await deletePropertyById(write, accountId, id))) throw propertyNotFound()
}

/** Newest first. */
export async function listProperties({ read }: Deps, accountId: string, query: PageQuery): Promise<PropertiesPage> {
  const { properties, total } = await selectProperties(read, accountId, pageOf(query))
  return { properties, meta: pageMeta(total, query) }
}

async function valuesOf(deps: Deps, wish: NewProperty): Promise<PropertyValues> {
  const state = (await namesOf(deps)()).state(wish.address.state)
  if (!state) throw invalidField('body.address.state', 'must be a state of the USA, by code or name')
  const { name, address, bedrooms, bathrooms, areaSquareFeet, accessNotes } = wish
  return {
    name,
    ...address,
    state: state.code,
    bedrooms: bedrooms ?? null,
    bathrooms: bathrooms ?? null,
    areaSquareFeet: areaSquareFeet ?? null,
    accessNotes: accessNotes ?? null,
  }
}

const propertyNotFound = () => new AppError('property_not_found', 'No property of yours has this id.')
