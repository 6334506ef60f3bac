// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectOffers = statement('selectOffers', { nullable: ['offer'] }) as Many<'read',
  { professionalId: string; serviceId?: string | null },
  { offer: unknown },
  'offer'>

export const lockOffer = statement('lockOffer') as Many<'tx',
  { professionalId: string; serviceId: string },
  {}>

export const updateOffer = statement('updateOffer') as Exec<'tx',
  { description?: string | null; priceType: string; unit?: string | null; basePriceCents?: number | null; minPriceCents?: number | null; maxPriceCents?: number | null; durationMinutes: number; instantBookEnabled: boolean; professionalId: string; serviceId: string }>

/** The services of the catalog that the pro does not offer, in catalog order, without those that are being merged. */
export const selectFurtherServices = statement('selectFurtherServices') as Many<'read',
  { professionalId: string },
  { id: string; name: string; category: string }>

export const insertOffer = statement('insertOffer') as Many<'tx',
  { professionalId: string; serviceId: string },
  { serviceId: string }>

export const deleteOffer = statement('deleteOffer') as Many<'tx',
  { professionalId: string; serviceId: string },
  { serviceId: string }>
