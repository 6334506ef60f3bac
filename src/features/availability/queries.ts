// Reads of open times. All local time, and what counts as open, is in the SQL they share with the reservation.
import type { Runner } from '../../platform/db.ts'
import { statementFile } from '../../platform/statements.ts'

export interface OpenSlotsRow {
  professionalId: string
  timeZone: string
  /** The finished JSON of the answer. */
  body: string
}

export interface ServiceSlotsRow {
  /** The finished JSON of the answer; null when the pro does not offer the service. */
  body: string | null
}

const openSlots = statementFile<OpenSlotsRow>('open-slots')
const serviceSlots = statementFile<ServiceSlotsRow>('open-slots-service')

/** The open times of an active pro, named by `id` or by `slug`, over 1–14 `days` from `firstDate` (null: today there). */
export async function findOpenSlots(
  db: Runner,
  query: { id: string | null; slug: string | null; firstDate: string | null; days: number; now: Date; baseUrl: string },
): Promise<OpenSlotsRow | undefined> {
  const { id, slug, firstDate, days, now, baseUrl } = query
  const rows = await openSlots.run(db, [id, slug, firstDate, days, now.toISOString(), baseUrl])
  return rows[0]
}

/** The open times of an active pro on one date, each as long as the service takes with that pro. */
export async function findServiceSlots(
  db: Runner,
  query: { professionalId: string; serviceId: string; date: string; now: Date; baseUrl: string },
): Promise<ServiceSlotsRow | undefined> {
  const { professionalId, serviceId, date, now, baseUrl } = query
  const rows = await serviceSlots.run(db, [professionalId, serviceId, date, now.toISOString(), baseUrl])
  return rows[0]
}
