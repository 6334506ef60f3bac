// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The version in use. */
export const findMarketplace = statement('findMarketplace', { nullable: ['tagline', 'email', 'phone', 'address', 'accent', 'area', 'logo', 'icon'] }) as One<'read',
  {},
  { version: number; name: string; tagline: string | null; email: string | null; phone: string | null; address: string | null; accent: string | null; country: 'US' | 'CA'; area: unknown; isOpen: boolean; radiusMiles: number; feeCents: number; minDepositPercentage: number; maxDepositPercentage: number; freeCancellationHours: number; holdMinutes: number; prosMayJoin: boolean; reviewPolicy: 'read_first' | 'verified_at_once'; operatorsNeedFactor: boolean; logo: unknown; icon: unknown },
  'area' | 'logo' | 'icon'>

/** Nothing when another operator has saved this version meanwhile. */
export const insertMarketplace = statement('insertMarketplace') as One<'tx',
  { version: number; name: string; tagline?: string | null; email?: string | null; phone?: string | null; address?: string | null; accent?: string | null; country: string; area: string; logo?: string | null; icon?: string | null; isOpen: boolean; radiusMiles: number; feeCents: number; minDepositPercentage: number; maxDepositPercentage: number; freeCancellationHours: number; holdMinutes: number; prosMayJoin: boolean; reviewPolicy: string; operatorsNeedFactor: boolean; byUserId?: string | null; now: string | Date },
  { version: number }>

/** The latest, the newest first, with the address of the operator while there is one. */
export const listMarketplaceVersions = statement('listMarketplaceVersions', { nullable: ['by'] }) as Many<'read',
  { limit: number },
  { version: number; name: string; isOpen: boolean; at: string; by: string | null }>

/** The versions that changed the defaults, and the first one; the newest first, with the address of the operator while there is one. */
export const listDefaultsVersions = statement('listDefaultsVersions', { nullable: ['by'] }) as Many<'read',
  { limit: number },
  { version: number; at: string; by: string | null; radiusMiles: number; feeCents: number; minDepositPercentage: number; maxDepositPercentage: number; freeCancellationHours: number; holdMinutes: number; prosMayJoin: boolean; reviewPolicy: 'read_first' | 'verified_at_once'; operatorsNeedFactor: boolean }>

/** The pros who ask for a deposit outside the limits, which hold for what pros set from then on. */
export const countDepositsOutside = statement('countDepositsOutside') as One<'read',
  { minPercentage: number; maxPercentage: number },
  { pros: number }>

/** What a marketplace needs before it opens, and whether PostgreSQL keeps what a backup needs. Null where nothing was ever archived. */
export const findLaunchFacts = statement('findLaunchFacts', { nullable: ['archivedSeconds'] }) as One<'read',
  {},
  { services: number; cities: number; pros: number; operators: number; isArchiving: boolean; archivedSeconds: number | null; isFailing: boolean }>

/** The first that joined, with the number of their services, and of those that customers book online. */
export const listFirstPros = statement('listFirstPros') as Many<'read',
  { limit: number },
  { id: string; slug: string; businessName: string; services: number; bookable: number }>

/** The latest booking under the address of an operator, and whether it is still to come. */
export const findTestBooking = statement('findTestBooking') as One<'read',
  { now: string | Date },
  { id: string; startsAt: string; timeZone: string; service: string; businessName: string; email: string; isComing: boolean }>

export const isPlaceKnown = statement('isPlaceKnown') as Many<'tx',
  { country: string },
  {}>

export const hasPros = statement('hasPros') as Many<'tx',
  {},
  {}>

/** Pros that are being created become visible before it, and new ones wait. */
export const lockPros = statement('lockPros') as Exec<'tx',
  {}>
