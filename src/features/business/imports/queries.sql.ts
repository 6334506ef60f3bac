// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Parts of imports come one after the other: two that run at once do not create a pro twice. */
export const lockImports = statement('lockImports', { nullable: ['locked'] }) as One<'tx',
  {},
  { locked: boolean | null }>

/** As lockSlug of pros, in one order. */
export const lockSlugs = statement('lockSlugs', { nullable: ['locked'] }) as Many<'tx',
  { slugs: readonly string[] },
  { locked: boolean | null }>

/** The pros with these ids of their own, locked until the transaction ends, with what their last import said. */
export const lockImported = statement('lockImported', { nullable: ['given'] }) as Many<'tx',
  { externalIds: readonly string[] },
  { id: string; externalId: string; accountId: string; status: string; latitude: number; longitude: number; radius: number; given: unknown; isMissing: boolean; hasLogin: boolean },
  'given'>

/** To whom these addresses belong: an account, which may be a pro's, or a log-in of another account. */
export const selectAddresses = statement('selectAddresses', { nullable: ['email', 'accountId', 'kind', 'professionalId', 'isLogin'] }) as Many<'tx',
  { emails: readonly string[] },
  { email: string | null; accountId: string | null; kind: 'developer' | 'pro' | 'client' | 'customer' | 'operator' | null; professionalId: string | null; isLogin: boolean | null }>

export const insertAccounts = statement('insertAccounts') as Exec<'tx',
  { now: string | Date; pros: string }>

/** Paused until their services are there: search then takes each of them in once. Of pros with one name in one city, each gets a slug that is free. */
export const insertImportedPros = statement('insertImportedPros') as Exec<'tx',
  { now: string | Date; pros: string }>

export const activatePros = statement('activatePros') as Exec<'tx',
  { ids: readonly string[] }>

/** Each row names the columns that change. */
export const updateImportedPros = statement('updateImportedPros') as Exec<'tx',
  { now: string | Date; pros: string }>

/** Of accounts without a log-in. */
export const updateAddresses = statement('updateAddresses') as Exec<'tx',
  { accounts: string }>

export const deleteImportedOffers = statement('deleteImportedOffers') as Exec<'tx',
  { offers: string }>

export const saveImportedOffers = statement('saveImportedOffers') as Exec<'tx',
  { offers: string }>

/** What the lines said. A column that a file has not keeps what the last file with it said. */
export const saveGiven = statement('saveGiven') as Exec<'tx',
  { now: string | Date; pros: string }>

export const insertImportEntries = statement('insertImportEntries') as Exec<'tx',
  { by?: string | null; now: string | Date; entries: string }>

/** Imported pros in the order of their ids. Each is looked up by its id. */
export const selectImportedAfter = statement('selectImportedAfter') as Many<'read',
  { after: string; limit: number },
  { id: string; externalId: string; status: string }>

/** Who is missing gets no link. */
export const saveMissing = statement('saveMissing') as Exec<'tx',
  { id: string }>

/** Behind those that wait: one each `gap_ms`. Pros with a log-in and those who wait already get no other. */
export const insertInvitations = statement('insertInvitations') as One<'tx',
  { ids: readonly string[]; by?: string | null; now: string | Date; gapMs: number },
  { invited: number }>

/** The first invitation that is due, until the transaction ends. */
export const claimInvitation = statement('claimInvitation', { nullable: ['by', 'hasLogin'] }) as One<'tx',
  { now: string | Date },
  { professionalId: string; by: string | null; email: string; hasLogin: boolean | null }>

export const deleteInvitation = statement('deleteInvitation') as Exec<'tx',
  { professionalId: string }>

export const refuseInvitation = statement('refuseInvitation') as Exec<'tx',
  { outcome: string; professionalId: string }>
