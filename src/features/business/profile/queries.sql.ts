// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findProfile = statement('findProfile', { nullable: ['profile'] }) as One<'read',
  { baseUrl: string; professionalId: string },
  { profile: unknown },
  'profile'>

export const updateProfile = statement('updateProfile') as Exec<'tx',
  { businessName?: string | null; setsDescription: boolean; description?: string | null; serviceRadiusMiles?: number | null; acceptsEmergency?: boolean | null; setsYearsOfExperience: boolean; yearsOfExperience?: number | null; now: string | Date; professionalId: string }>

/** Locks the pro's row until the transaction ends. */
export const lockProfile = statement('lockProfile') as Exec<'tx',
  { professionalId: string }>

export const selectLocations = statement('selectLocations') as Many<'read',
  { professionalId: string },
  { id: string; city: string; state: string; latitude: number; longitude: number; timezone: string; serviceRadiusMiles: number; primary: boolean }>
