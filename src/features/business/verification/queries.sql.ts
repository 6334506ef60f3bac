// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The marks of a pro, locked until the transaction ends, with the pro's account. */
export const findMarksForUpdate = statement('findMarksForUpdate') as One<'tx',
  { id: string },
  { accountId: string; verified: boolean; backgroundCheck: boolean; insurance: boolean; credentials: boolean }>

export const findDeclared = statement('findDeclared', { nullable: ['licenseNumber', 'licenseState', 'insuranceCarrier'] }) as One<'tx',
  { id: string },
  { businessName: string; licenseNumber: string | null; licenseState: string | null; insuranceCarrier: string | null }>

export const hasRequest = statement('hasRequest') as Many<'tx',
  { professionalId: string },
  {}>

export const saveMarks = statement('saveMarks') as Exec<'tx',
  { verified: boolean; backgroundCheck: boolean; insurance: boolean; credentials: boolean; now: string | Date; id: string }>

/** Saves a request. One that waits keeps its place in the queue. */
export const saveRequest = statement('saveRequest') as Exec<'tx',
  { professionalId: string; licenseNumber?: string | null; licenseState?: string | null; note?: string | null; now: string | Date }>

export const refuseRequest = statement('refuseRequest') as Many<'tx',
  { reason: string; now: string | Date; professionalId: string },
  { professionalId: string }>

export const deleteRequest = statement('deleteRequest') as Exec<'tx',
  { professionalId: string }>

export const countRequests = statement('countRequests') as One<'write',
  {},
  { count: number }>

export const selectEvidence = statement('selectEvidence', { nullable: ['evidence', 'validUntil'] }) as Many<'write',
  { professionalId: string },
  { mark: 'verified' | 'backgroundCheck' | 'insurance' | 'credentials'; evidence: string | null; validUntil: string | null }>

/** No row for a last day that has passed in the pro's time zone. */
export const insertEvidence = statement('insertEvidence') as Many<'tx',
  { mark: string; evidence?: string | null; validUntil?: string | null; warnedDays: number; professionalId: string; now: string | Date },
  { mark: 'verified' | 'backgroundCheck' | 'insurance' | 'credentials' }>

export const selectProsWithDueMarks = statement('selectProsWithDueMarks') as Many<'write',
  { now: string | Date; limit: number },
  { id: string }>

export const selectDueMarks = statement('selectDueMarks') as Many<'tx',
  { professionalId: string; now: string | Date },
  { mark: 'verified' | 'backgroundCheck' | 'insurance' | 'credentials'; validUntil: string; endsAt: string; businessName: string; email: string }>

export const planEndOfMark = statement('planEndOfMark') as Exec<'tx',
  { endsAt: string | Date; professionalId: string; mark: string }>

export const deleteMark = statement('deleteMark') as Exec<'tx',
  { professionalId: string; mark: string }>
