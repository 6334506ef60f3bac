// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertNotice = statement('insertNotice') as Exec<'tx',
  { id: string; accountId: string; kind: string; data: string; createdAt: string | Date }>

export const findNotices = statement('findNotices', { nullable: ['data', 'readAt'] }) as Many<'read',
  { accountId: string; unreadOnly: boolean; limit: number },
  { id: string; kind: string; data: unknown; createdAt: string; readAt: string | null },
  'data'>

export const updateNoticeRead = statement('updateNoticeRead') as Many<'write',
  { now: string | Date; id: string; accountId: string },
  { id: string }>
