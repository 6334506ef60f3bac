// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** A draft of the owner of the address, unless there is one. */
export const insertApplication = statement('insertApplication') as Exec<'tx',
  { id: string; email: string; now: string | Date; expiresAt?: string | Date | null }>

/** The application with the id, or of the address, locked until the transaction ends. */
export const lockApplication = statement('lockApplication') as One<'tx',
  { id?: string | null; email?: string | null },
  { id: string }>

export const findApplication = statement('findApplication', { nullable: ['businessName', 'personName', 'phone', 'description', 'place', 'cityId', 'radiusMiles', 'services', 'businessHours', 'licenseNumber', 'licenseState', 'licenseExpires', 'insuranceCarrier', 'insurancePolicy', 'insuranceExpires', 'operatorWords', 'professionalId', 'sentAt'], texts: { status: ['draft', 'sent', 'asked', 'approved', 'refused'] } }) as One<'write',
  { id?: string | null; email?: string | null },
  { id: string; email: string; status: 'draft' | 'sent' | 'asked' | 'approved' | 'refused'; businessName: string | null; personName: string | null; phone: string | null; description: string | null; place: string | null; cityId: number | null; isPlaceHidden: boolean; radiusMiles: number | null; services: unknown; businessHours: unknown; hasDeclared: boolean; licenseNumber: string | null; licenseState: string | null; licenseExpires: string | null; insuranceCarrier: string | null; insurancePolicy: string | null; insuranceExpires: string | null; operatorWords: string | null; professionalId: string | null; createdAt: string; sentAt: string | null },
  'services' | 'businessHours'>

export const saveAnswers = statement('saveAnswers') as Exec<'tx',
  { businessName?: string | null; personName?: string | null; phone?: string | null; description?: string | null; place?: string | null; cityId?: number | null; isPlaceHidden: boolean; radiusMiles?: number | null; services?: string | null; businessHours?: string | null; hasDeclared: boolean; licenseNumber?: string | null; licenseState?: string | null; licenseExpires?: string | null; insuranceCarrier?: string | null; insurancePolicy?: string | null; insuranceExpires?: string | null; expiresAt?: string | Date | null; id: string }>

export const deleteApplication = statement('deleteApplication') as Exec<'tx',
  { id: string }>

export const saveApplicationStatus = statement('saveApplicationStatus') as Exec<'tx',
  { status: string; operatorWords?: string | null; professionalId?: string | null; sentAt?: string | Date | null; expiresAt?: string | Date | null; id: string }>

/** Those of a state, the longest waiting first; drafts are no operator's to read. */
export const listApplications = statement('listApplications', { nullable: ['businessName', 'personName', 'sentAt'] }) as Many<'write',
  { status: string; limit: number; offset: number },
  { id: string; businessName: string | null; personName: string | null; sentAt: string | null; services: number; city: string; total: number }>

export const countWaitingApplications = statement('countWaitingApplications') as One<'write',
  {},
  { count: number }>

/** Whether the address belongs to a pro, or to another account that cannot have one. */
export const hasAccount = statement('hasAccount') as One<'write',
  { email: string },
  { isTaken: boolean }>

/** Pros and other applications with the address, the phone, or the name in the same city. */
export const findLikenesses = statement('findLikenesses', { texts: { kind: ['pro', 'application'] } }) as Many<'write',
  { email: string; digits: string; cityId: number; businessName: string; ownPro?: string | null; id: string },
  { kind: 'pro' | 'application'; id: string; businessName: string; sameEmail: boolean; samePhone: boolean; sameName: boolean }>
