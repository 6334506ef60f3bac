// Properties of a client account. Only the owner can read and change them.
import type { Ctx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { getCatalogNames } from '../../catalog/services/verbs/names.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { postalRuleText } from '../../../platform/text/region.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
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
export async function createProperty(ctx: Ctx<{ accountId: string }>, input: NewProperty): Promise<Property> {
  const values = await valuesOf(ctx, input)
  return await runIdempotently(
    ctx,
    { accountId: ctx.actor.accountId, operation: 'createProperty', request: input },
    (ctx) => insertProperty(ctx, { accountId: ctx.actor.accountId, id: ctx.ids.uuid(), values, now: ctx.clock.now() }),
  )
}

/** Replaces all values of a property. Throws property_not_found, and validation_failed like {@link createProperty}. */
export async function replaceProperty(
  ctx: Ctx<{ accountId: string }>,
  { id, ...input }: { id: string } & NewProperty,
): Promise<Property> {
  const changed = await updateProperty(ctx, {
    accountId: ctx.actor.accountId,
    id,
    values: await valuesOf(ctx, input),
    now: ctx.clock.now(),
  })
  if (!changed) throw propertyNotFound()
  return changed
}

/** Throws property_not_found. */
export async function getProperty(ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<Property> {
  const property = await findProperty(ctx, { accountId: ctx.actor.accountId, id })
  if (!property) throw propertyNotFound()
  return property
}

/** Throws property_not_found. */
export async function deleteProperty(ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<void> {
  if (!(await deletePropertyById(ctx, { accountId: ctx.actor.accountId, id }))) throw propertyNotFound()
}

/** Newest first. */
export async function listProperties(ctx: Ctx<{ accountId: string }>, query: PageQuery): Promise<PropertiesPage> {
  const { properties, total } = await selectProperties(ctx, { ...pageOf(query), accountId: ctx.actor.accountId })
  return { properties, meta: pageMeta(total, query) }
}

async function valuesOf(ctx: Ctx, input: NewProperty): Promise<PropertyValues> {
  const names = await getCatalogNames(ctx)
  const { postal, state: called } = names.region
  const state = names.state(input.address.state)
  if (!state) throw invalidField('body.address.state', `must be a ${called.of}, by code or name`)
  if (!postal.whole.test(input.address.zipCode)) throw invalidField('body.address.zipCode', postalRuleText(postal))
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
