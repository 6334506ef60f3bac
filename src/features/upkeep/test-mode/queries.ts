// SQL of test pros.
import type { IdOrSlug } from '../../../platform/schema/id-or-slug.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export async function findTestAccount(ctx: Ctx, { accountId }: { accountId: string }): Promise<string | undefined> {
  const row = await statements.findTestAccount(ctx, { accountId })
  return row?.id
}

/** The test account of the pro with this id or slug. */
export async function findTestAccountOfPro(ctx: Ctx, { id, slug }: IdOrSlug): Promise<string | undefined> {
  const row = await statements.findTestAccountOfPro(ctx, { id, slug })
  return row?.testAccountId
}

/** The test account of the pro who offers the package. */
export async function findTestAccountOfPackage(ctx: Ctx, { sku }: { sku: string }): Promise<string | undefined> {
  const row = await statements.findTestAccountOfPackage(ctx, { sku })
  return row?.testAccountId
}

/** How much was made with test pros. */
export interface TestWork {
  bookings: number
  requests: number
  reviews: number
}

export type TestData = TestWork & { pros: { id: string; slug: string; businessName: string }[] }

export interface NewTestPro {
  id: string
  accountId: string
  testAccountId: string
  slug: string
  businessName: string
  description: string
  requiresApproval: boolean
  depositPercentage: number | null
  now: Date
}

/** Inserts the pro in the largest city, open every day. One that exists stays as it is, or is made as it was with `reset`. */
export async function saveTestPro(ctx: TxCtx, { pro, reset }: { pro: NewTestPro; reset: boolean }): Promise<void> {
  const { depositPercentage, now } = pro
  await ctx.tx.run(
    'saveTestPro',
    (sql) => sql`
      insert into professionals (id, account_id, test_account_id, slug, business_name, description, active, verified, city_id,
        latitude, longitude, time_zone, instant_booking_enabled, requires_approval, deposit_required, deposit_percentage,
        lead_time_hours, business_hours, created_at, updated_at)
      select ${pro.id}, ${pro.accountId}, ${pro.testAccountId}, ${pro.slug}, ${pro.businessName}, ${pro.description}, false,
        true, c.id, c.latitude, c.longitude, c.time_zone, true, ${pro.requiresApproval}, ${depositPercentage !== null},
        ${depositPercentage}, 1, (
          select jsonb_object_agg(day, '[{"start":"08:00","end":"18:00"}]'::jsonb)
          from unnest('{monday,tuesday,wednesday,thursday,friday,saturday,sunday}'::text[]) day),
        ${now.toISOString()}, ${now.toISOString()}
      from cities c where c.state in (select code from states where country = marketplace_country())
      order by c.population desc, c.id limit 1
      on conflict (slug) do ${reset ? resetPro(sql) : sql`nothing`}`,
  )
}

const resetPro = (sql: Sql) => sql`update set
  business_name = excluded.business_name, description = excluded.description, verified = excluded.verified,
  city_id = excluded.city_id, latitude = excluded.latitude, longitude = excluded.longitude, time_zone = excluded.time_zone,
  instant_booking_enabled = excluded.instant_booking_enabled, requires_approval = excluded.requires_approval,
  deposit_required = excluded.deposit_required, deposit_percentage = excluded.deposit_percentage,
  lead_time_hours = excluded.lead_time_hours, business_hours = excluded.business_hours, updated_at = excluded.updated_at,
  background_check = default, insurance = default, credentials = default, website = default, phone = default,
  service_radius_miles = default, years_of_experience = default, accepts_emergency = default, review_count = default,
  rating_sum = default, buffer_minutes = default, default_slot_minutes = default, reminder_hours = default, plan = default,
  plan_until = default`

/** Deletes what was made in test mode. Returns how much of it people look for. */
export async function deleteTestRows(ctx: TxCtx, { testAccountId }: { testAccountId: string }): Promise<TestWork> {
  const row = await statements.deleteTestRows(ctx, { testAccountId })
  return row ?? { bookings: 0, requests: 0, reviews: 0 }
}

/** The test pros of a test account, and what was made with them. */
export async function findTestData(ctx: Ctx, { testAccountId }: { testAccountId: string }): Promise<TestData> {
  const row = await statements.findTestData<Pick<TestData, 'pros'>>(ctx, { testAccountId })
  return row ?? { pros: [], bookings: 0, requests: 0, reviews: 0 }
}
