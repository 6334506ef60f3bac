// A pro's profile and offers in the database. Every statement filters by the pro.
import type { Runner } from '../../platform/postgres/database.ts'
import type { Locations, Offer, Profile, ProfileChange } from './schemas.ts'

export async function findProfile(db: Runner, professionalId: string, baseUrl: string): Promise<Profile | undefined> {
  const [row] = await db.run<{ profile: Profile }>(
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

/** Changes what is given. A description of null takes it away; one that is not given stays. */
export async function updateProfile(
  tx: Runner,
  professionalId: string,
  change: ProfileChange,
  now: Date,
): Promise<void> {
  await tx.run(
    'updateProfile',
    (sql) => sql`
      update professionals set
        business_name = coalesce(${change.businessName ?? null}, business_name),
        description = case when ${change.description !== undefined} then ${change.description ?? null}
          else description end,
        service_radius_miles = coalesce(${change.serviceRadiusMiles ?? null}, service_radius_miles),
        accepts_emergency = coalesce(${change.acceptsEmergency ?? null}, accepts_emergency),
        updated_at = ${now.toISOString()}
      where id = ${professionalId}`,
  )
}

/** The pro's row, held until the transaction ends. */
export async function lockProfile(tx: Runner, professionalId: string): Promise<void> {
  await tx.run('lockProfile', (sql) => sql`select from professionals where id = ${professionalId} for no key update`)
}

export async function selectLocations(db: Runner, professionalId: string): Promise<Locations['locations']> {
  return await db.run(
    'selectLocations',
    (sql) => sql`
      select p.id, c.name as city, c.state, p.latitude, p.longitude, p.time_zone as timezone, p.service_radius_miles,
        true as primary
      from professionals p join cities c on c.id = p.city_id where p.id = ${professionalId}`,
  )
}

/** The pro's offers in the catalog's order; one of them when `serviceId` is given. */
export async function selectOffers(db: Runner, professionalId: string, serviceId?: string): Promise<Offer[]> {
  const rows = await db.run<{ offer: Offer }>(
    'selectOffers',
    (sql) => sql`
      select json_build_object(
        'serviceId', s.id, 'name', s.name, 'slug', s.slug, 'description', o.description, 'priceType', o.price_type,
        'unit', o.unit, 'basePrice', dollars(o.base_price_cents), 'minPrice', dollars(o.min_price_cents),
        'maxPrice', dollars(o.max_price_cents), 'durationMinutes', coalesce(o.duration_minutes, s.duration_minutes),
        'instantBookEnabled', o.instant_book_enabled, 'package', package_object(k)) as offer
      from professional_services o join services s on s.id = o.service_id and s.active
      left join packages k on k.professional_id = o.professional_id and k.service_id = o.service_id and k.active
      where o.professional_id = ${professionalId} and (${serviceId ?? null}::uuid is null or s.id = ${serviceId ?? null})
      order by s.ordinal`,
  )
  return rows.map(({ offer }) => offer)
}

/** The offer, locked until the transaction ends; answers whether the pro has it. */
export async function lockOffer(tx: Runner, professionalId: string, serviceId: string): Promise<boolean> {
  const rows = await tx.run(
    'lockOffer',
    (sql) => sql`
      select from professional_services
      where professional_id = ${professionalId} and service_id = ${serviceId} for update`,
  )
  return rows.length > 0
}

export interface OfferValues {
  description: string | null
  priceType: Offer['priceType']
  unit: string | null
  basePriceCents: number | null
  minPriceCents: number | null
  maxPriceCents: number | null
  durationMinutes: number
  instantBookEnabled: boolean
}

export async function updateOffer(
  tx: Runner,
  professionalId: string,
  serviceId: string,
  values: OfferValues,
): Promise<void> {
  await tx.run(
    'updateOffer',
    (sql) => sql`
      update professional_services set description = ${values.description}, price_type = ${values.priceType},
        unit = ${values.unit},
        base_price_cents = ${values.basePriceCents}, min_price_cents = ${values.minPriceCents},
        max_price_cents = ${values.maxPriceCents}, duration_minutes = ${values.durationMinutes},
        instant_book_enabled = ${values.instantBookEnabled}
      where professional_id = ${professionalId} and service_id = ${serviceId}`,
  )
}
