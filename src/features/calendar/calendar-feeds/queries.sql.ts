// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The feed of all bookings, then that of each active member by name. */
export const listFeeds = statement('listFeeds', { nullable: ['memberId', 'memberName', 'createdAt'] }) as Many<'write',
  { professionalId: string },
  { memberId: string | null; memberName: string | null; createdAt: string | null }>

/** Creates the feed, or gives it a new token. */
export const upsertFeed = statement('upsertFeed') as Exec<'tx',
  { id: string; professionalId: string; memberId?: string | null; tokenHash: Buffer; now: string | Date }>

export const deleteFeed = statement('deleteFeed') as Exec<'write',
  { professionalId: string; memberId?: string | null }>

/** Whose feed has this token; undefined also for that of a member who left. */
export const findFeed = statement('findFeed', { nullable: ['memberId', 'memberName'] }) as One<'write',
  { tokenHash: Buffer },
  { professionalId: string; memberId: string | null; businessName: string; memberName: string | null }>
