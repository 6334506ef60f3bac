// Properties of a client account. Only the owner can read and change them.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../idempotency/context.ts'
import { getCatalogNames } from '../catalog/verbs/names.ts'
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

/** Creates a property. Throws validation_failed for an unknown state. */
export async function createProperty(
  deps: Deps,
  accountId: string,
  input: NewProperty,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<Property>> {
  const values = await valuesOf(deps, input)
  return await runIdempotently(deps, idempotency, { accountId, operation: 'createProperty', request: input }, (tx) =>
    insertProperty(tx, accountId, deps.ids.uuid(), values, deps.clock.now()),
  )
}

/** Replaces all values of a property. Throws property_not_found, and validation_failed like {@link createProperty}. */
export async function replaceProperty(
  deps: Deps,
  accountId: string,
  id: string,
  input: NewProperty,
): Promise<Property> {
  const changed = await updateProperty(deps.write, accountId, id, await valuesOf(deps, input), deps.clock.now())
  if (!changed) throw propertyNotFound()
  return changed
}

/** Throws property_not_found. */
export async function getProperty({ read }: Deps, accountId: string, id: string): Promise<Property> {
  const property = await findProperty(read, accountId, id)
  if (!property) throw propertyNotFound()
  return property
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

async function valuesOf(deps: Deps, input: NewProperty): Promise<PropertyValues> {
  const state = (await getCatalogNames(deps)).state(input.address.state)
  if (!state) throw invalidField('body.address.state', 'must be a US state, by code or name')
  const { name, address, bedrooms, bathrooms, areaSquareFeet, accessNotes } = input
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

const propertyNotFound = () => new AppError('property_not_found', 'Your account has no property with this id.')
