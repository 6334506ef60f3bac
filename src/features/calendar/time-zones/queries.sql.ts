// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectOffsets = statement('selectOffsets', { nullable: ['zone'] }) as Many<'read',
  { since: string | Date; until: string | Date; batch: readonly string[] },
  { zone: unknown },
  'zone'>

export const selectZonesInUse = statement('selectZonesInUse') as Many<'read',
  {},
  { name: string }>

export const selectLostZones = statement('selectLostZones') as Many<'read',
  {},
  { name: string }>

export const replaceLostZones = statement('replace_lost_zones') as Many<'write',
  { now: string | Date },
  { id: string }>

export const selectKnownZones = statement('selectKnownZones') as Many<'read',
  { names: readonly string[] },
  { name: string }>

/** Has the servers load the zones again. */
export const notifyZonesChanged = statement('notifyZonesChanged') as Exec<'write',
  {}>

export const addTimeZone = statement('add_time_zone') as One<'tx',
  { name: string },
  { isZone: boolean }>
