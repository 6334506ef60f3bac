// Properties in the database. Every statement filters by the account.
import type { Property } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export interface PropertyValues {
  name: string
  street: string
  city: string
  state: string
  zipCode: string
  bedrooms: number | null
  bathrooms: number | null
  areaSquareFeet: number | null
  accessNotes: string | null
}

export async function insertProperty(
  ctx: TxCtx,
  { accountId, id, values, now }: { accountId: string; id: string; values: PropertyValues; now: Date },
): Promise<Property> {
  const row = await statements.insertProperty<{ property: Property }>(ctx, {
    id,
    accountId,
    ...values,
    now,
  })
  if (!row) throw new Error('insertProperty returned no row')
  return row.property
}

/** Replaces the values. Returns undefined when the account has no such property. */
export async function updateProperty(
  ctx: Ctx,
  { accountId, id, values, now }: { accountId: string; id: string; values: PropertyValues; now: Date },
): Promise<Property | undefined> {
  const row = await statements.updateProperty<{ property: Property }>(ctx, {
    ...values,
    now,
    id,
    accountId,
  })
  return row?.property
}

export async function findProperty(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<Property | undefined> {
  const row = await statements.findProperty<{ property: Property }>(ctx, { id, accountId })
  return row?.property
}

/** Returns whether the account had such a property. */
export async function deletePropertyById(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  const rows = await statements.deleteProperty(ctx, { id, accountId })
  return rows.length > 0
}

/** One page of the account's properties, newest first, and the total. */
export async function selectProperties(
  ctx: Ctx,
  { accountId, limit, offset }: { accountId: string; limit: number; offset: number },
): Promise<{ properties: Property[]; total: number }> {
  const row = await statements.selectProperties<{ properties: Property[] }>(ctx, { accountId, limit, offset })
  return row ?? { properties: [], total: 0 }
}
