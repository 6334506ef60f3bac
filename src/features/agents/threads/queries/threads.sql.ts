// Written by `npm run schema` from threads.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertThread = statement('insertThread') as One<'tx',
  { professionalId: string; id: string; title: string; at: string | Date },
  { id: string; title: string; messageCount: number; createdAt: string; lastActivityAt: string }>

export const selectThreads = statement('selectThreads', { nullable: ['threads'] }) as One<'read',
  { professionalId: string; limit: number; offset: number },
  { total: number; threads: unknown },
  'threads'>

export const findThread = statement('findThread') as One<'read',
  { professionalId: string; id: string },
  { id: string; title: string; messageCount: number; createdAt: string; lastActivityAt: string }>

/** The last `limit` messages before a position, latest first. `spokenOnly` leaves out tool and system messages. */
export const selectMessages = statement('selectMessages', { nullable: ['step'] }) as Many<'read',
  { professionalId: string; threadId: string; before: number; spokenOnly: boolean; limit: number },
  { position: number; role: 'person' | 'agent' | 'tool' | 'system'; content: string; runId: string; step: number | null; createdAt: string }>

export const appendThreadMessage = statement('appendThreadMessage') as One<'tx',
  { now: string | Date; professionalId: string; threadId: string; role: string; content: string; runId: string; step?: number | null },
  { position: number }>
