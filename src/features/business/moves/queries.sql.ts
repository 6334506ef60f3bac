// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Where a pro is, and the earliest time at which a day opens. No row for a test pro. */
export const findPlaceOfPro = statement('findPlaceOfPro', { nullable: ['opensAt'], texts: { status: ['active', 'paused', 'closed'] } }) as One<'write',
  { id: string },
  { accountId: string; businessName: string; status: 'active' | 'paused' | 'closed'; cityId: number; city: string; state: string; latitude: number; longitude: number; timeZone: string; radiusMiles: number; opensAt: string | null }>

export const getTimeZoneOfCity = statement('getTimeZoneOfCity') as One<'write',
  { id: number },
  { timeZone: string }>

export const selectVisitsToCome = statement('selectVisitsToCome', { nullable: ['city', 'state', 'zipCode'] }) as Many<'write',
  { id: string; now: string | Date; limit: number },
  { id: string; startsAt: string; serviceName: string; city: string | null; state: string | null; zipCode: string | null }>

/** Triggers change what search finds, and read the pro's calendars again in another time zone. */
export const savePlace = statement('savePlace') as Exec<'tx',
  { latitude: number; longitude: number; radiusMiles: number; now: string | Date; cityId: number; id: string }>
