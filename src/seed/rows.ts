// A demo pro as rows of the database.
import type { Pro } from './pros.ts'
import type { Rows } from './tables.ts'

const instant = (ms: number): string => new Date(ms).toISOString()

/** The pro's account, profile and services. */
export const addPro = (rows: Rows, pro: Pro): void => {
  const created = instant(pro.createdMs)
  rows.add('accounts', [pro.accountId, 'pro', `${pro.slug}@pros.example`, pro.name, created])
  rows.add('professionals', [
    pro.id,
    pro.accountId,
    pro.slug,
    pro.name,
    pro.description,
    pro.verified,
    ...pro.checks,
    pro.website,
    pro.phone,
    pro.city.id,
    pro.latitude,
    pro.longitude,
    pro.city.timeZone,
    pro.serviceRadiusMiles,
    pro.yearsOfExperience,
    pro.acceptsEmergency,
    pro.ratings.length,
    pro.ratings.reduce((sum, rating) => sum + rating, 0),
    pro.instantBooking,
    pro.requiresApproval,
    pro.leadTimeHours,
    pro.bufferMinutes,
    pro.slotMinutes,
    pro.hours.json,
    created,
    created,
  ])
  for (const { service, ...offer } of pro.offers) {
    rows.add('professional_services', [
      pro.id,
      service.id,
      offer.description,
      service.priceType,
      service.unit,
      offer.basePriceCents,
      offer.minPriceCents,
      offer.maxPriceCents,
      offer.durationMinutes,
      offer.instantBook,
    ])
  }
}
