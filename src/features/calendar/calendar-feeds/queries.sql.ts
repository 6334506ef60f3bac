// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const listCalendarFeeds = statement('listCalendarFeeds', { nullable: ['memberId', 'memberName', 'createdAt'] }) as Many<'write',
  { professionalId: string },
  { memberId: string | null; memberName: string | null; createdAt: string | null }>

export const upsertCalendarFeed = statement('upsertCalendarFeed') as Exec<'tx',
  { id: string; professionalId: string; memberId?: string | null; tokenHash: Buffer; now: string | Date }>

export const deleteCalendarFeed = statement('deleteCalendarFeed') as Exec<'write',
  { professionalId: string; memberId?: string | null }>

export const findCalendarFeed = statement('findCalendarFeed', { nullable: ['memberId', 'memberName'] }) as One<'write',
  { tokenHash: Buffer },
  { professionalId: string; memberId: string | null; businessName: string; memberName: string | null }>
