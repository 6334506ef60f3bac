// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The pros from one id to another that match, in the order in which they came. Only those of the page are read whole. */
export const selectPros = statement('selectPros', { nullable: ['externalId', 'phone', 'website', 'legalName', 'licenseNumber', 'licenseState', 'insuranceCarrier', 'askedAt', 'services', 'closedAt', 'eraseAt', 'erasedAt'], texts: { status: ['active', 'paused', 'closed'] } }) as Many<'read',
  { firstId: string; lastId: string; status?: string | null; q: string; limit: number; now: string | Date },
  { id: string; externalId: string | null; slug: string; businessName: string; status: 'active' | 'paused' | 'closed'; pausedByOperator: boolean; email: string; hasLogin: boolean; phone: string | null; website: string | null; city: string; state: string; latitude: number; longitude: number; timeZone: string; serviceRadiusMiles: number; planId: string; verified: boolean; backgroundCheck: boolean; insurance: boolean; credentials: boolean; legalName: string | null; licenseNumber: string | null; licenseState: string | null; insuranceCarrier: string | null; askedAt: string | null; services: unknown; closedAt: string | null; eraseAt: string | null; erasedAt: string | null; createdAt: string },
  'services'>

export const findByExternalId = statement('findByExternalId') as One<'read',
  { externalId: string },
  { id: string }>
