// Written by `npm run schema` from mailbox.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertMail = statement('insertMail') as Exec<'write',
  { messageId?: number | null; sender: string; recipient: string; subject: string; text: string; html: string; source: string; now: string | Date }>

export const deleteOldMail = statement('deleteOldMail') as Many<'write',
  { kept: number },
  { id: number }>

export const findMail = statement('findMail') as One<'read',
  { messageId: number },
  { subject: string; text: string; html: string; source: string }>
