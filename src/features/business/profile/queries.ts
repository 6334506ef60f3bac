// A pro's profile and locations in the database. Every statement filters by the pro.
import type { Locations, Profile, ProfileChange } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export async function findProfile(
  ctx: Ctx,
  { professionalId, baseUrl }: { professionalId: string; baseUrl: string },
): Promise<Profile | undefined> {
  const [row] = await ctx.read.run<{ profile: Profile }>(
    'findProfile',
    (sql) => sql`
      select json_build_object(
        'id', p.id, 'slug', p.slug, 'businessName', p.business_name, 'description', p.description,
        'active', p.active, 'verified', p.verified,
        'contact', json_build_object('website', p.website, 'phone', p.phone),
        'location', json_build_object(
          'city', c.name, 'state', c.state, 'latitude', p.latitude, 'longitude', p.longitude),
        'timezone', p.time_zone, 'serviceRadiusMiles', p.service_radius_miles,
        'acceptsEmergency', p.accepts_emergency, 'yearsOfExperience', p.years_of_experience,
        'rating', trim_scale(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2)),
        'reviewCount', p.review_count, 'profileUrl', ${baseUrl}::text || '/pros/' || p.slug,
        'createdAt', iso_instant(p.created_at), 'updatedAt', iso_instant(p.updated_at)) as profile
      from professionals p join cities c on c.id = p.city_id where p.id = ${professionalId}`,
  )
  return row?.profile
}

/** Updates the given fields. Null removes a value; an omitted field keeps it. */
export async function updateProfile(
  ctx: TxCtx,
  { professionalId, change, now }: { professionalId: string; change: ProfileChange; now: Date },
): Promise<void> {
  await ctx.tx.run(
    'updateProfile',
    (sql) => sql`
      update professionals set
        business_name = coalesce(${change.businessName ?? null}, business_name),
        description = case when ${change.description !== undefined} then ${change.description ?? null}
          else description end,
        service_radius_miles = coalesce(${change.serviceRadiusMiles ?? null}, service_radius_miles),
        accepts_emergency = coalesce(${change.acceptsEmergency ?? null}, accepts_emergency),
        years_of_experience = case when ${change.yearsOfExperience !== undefined}
          then ${change.yearsOfExperience ?? null}::integer else years_of_experience end,
        updated_at = ${now.toISOString()}
      where id = ${professionalId}`,
  )
}

/** Locks the pro's row until the transaction ends. */
export async function lockProfile(ctx: TxCtx, { professionalId }: { professionalId: string }): Promise<void> {
  await ctx.tx.run(
    'lockProfile',
    (sql) => sql`select from professionals where id = ${professionalId} for no key update`,
  )
}

export async function selectLocations(
  ctx: Ctx,
  { professionalId }: { professionalId: string },
): Promise<Locations['locations']> {
  return await ctx.read.run(
    'selectLocations',
    (sql) => sql`
      select p.id, c.name as city, c.state, p.latitude, p.longitude, p.time_zone as timezone, p.service_radius_miles,
        true as primary
      from professionals p join cities c on c.id = p.city_id where p.id = ${professionalId}`,
  )
}
