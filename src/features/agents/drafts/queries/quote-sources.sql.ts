// Written by `npm run schema` from quote-sources.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findService = statement('findService', { nullable: ['unit'] }) as One<'read',
  { id: string },
  { id: string; name: string; unit: string | null }>

/** The pro's latest 50 accepted quotes for a service. */
export const selectPastWork = statement('selectPastWork', { nullable: ['units', 'unitCents', 'days'] }) as Many<'read',
  { serviceId: string; professionalId: string; since: string | Date },
  { amountCents: number; quotedCents: number; units: number | null; unitCents: number | null; isCompleted: boolean; days: number | null }>

/** The pro's usual deposit and payment terms. */
export const findUsualTerms = statement('findUsualTerms', { nullable: ['depositPercentage', 'paymentTerms'] }) as One<'read',
  { professionalId: string },
  { businessName: string; state: string; depositRequired: boolean; depositPercentage: number | null; paymentTerms: string | null }>
