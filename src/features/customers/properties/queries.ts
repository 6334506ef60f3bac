// Properties in the database. Every statement filters by the account.
import type { Property } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

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
  const [row] = await ctx.tx.run<{ property: Property }>(
    'insertProperty',
    (sql) => sql`
      insert into properties as p (id, account_id, name, street, city, state, zip_code, bedrooms, bathrooms,
        area_square_feet, access_notes, created_at, updated_at)
      values (${id}, ${accountId}, ${values.name}, ${values.street}, ${values.city}, ${values.state},
        ${values.zipCode}, ${values.bedrooms}, ${values.bathrooms}, ${values.areaSquareFeet}, ${values.accessNotes},
        ${now.toISOString()}, ${now.toISOString()})
      returning property_object(p) as property`,
  )
  if (!row) throw new Error('insertProperty returned no row')
  return row.property
}

/** Replaces the values. Returns undefined when the account has no such property. */
export async function updateProperty(
  ctx: Ctx,
  { accountId, id, values, now }: { accountId: string; id: string; values: PropertyValues; now: Date },
): Promise<Property | undefined> {
  const [row] = await ctx.write.run<{ property: Property }>(
    'updateProperty',
    (sql) => sql`
      update properties p set name = ${values.name}, street = ${values.street}, city = ${values.city},
        state = ${values.state}, zip_code = ${values.zipCode}, bedrooms = ${values.bedrooms},
        bathrooms = ${values.bathrooms}, area_square_feet = ${values.areaSquareFeet},
        access_notes = ${values.accessNotes}, updated_at = ${now.toISOString()}
      where p.id = ${id} and p.account_id = ${accountId}
      returning property_object(p) as property`,
  )
  return row?.property
}

export async function findProperty(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<Property | undefined> {
  const [row] = await ctx.read.run<{ property: Property }>(
    'findProperty',
    (sql) => sql`
      select property_object(p) as property from properties p where p.id = ${id} and p.account_id = ${accountId}`,
  )
  return row?.property
}

/** Returns whether the account had such a property. */
export async function deletePropertyById(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  const rows = await ctx.write.run(
    'deleteProperty',
    (sql) => sql`delete from properties where id = ${id} and account_id = ${accountId} returning id`,
  )
  return rows.length > 0
}

/** One page of the account's properties, newest first, and the total. */
export async function selectProperties(
  ctx: Ctx,
  { accountId, limit, offset }: { accountId: string; limit: number; offset: number },
): Promise<{ properties: Property[]; total: number }> {
  const [row] = await ctx.read.run<{ properties: Property[]; total: number }>(
    'selectProperties',
    (sql) => sql`
      select (select count(*) from properties where account_id = ${accountId})::integer as total,
        coalesce((
          select json_agg(property_object(p) order by p.created_at desc, p.id desc)
          from (
            select * from properties where account_id = ${accountId}
            order by created_at desc, id desc limit ${limit} offset ${offset}
          ) page join properties p on p.id = page.id), '[]') as properties`,
  )
  return row ?? { properties: [], total: 0 }
}
