// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Whether an active pro offers the service, if one is named, and the day in the pro's time zone; undefined without a pro. */
export const findAskedPro = statement('findAskedPro') as One<'tx',
  { serviceId?: string | null; email: string; now: string | Date; professionalId: string; accountId: string },
  { offersService: boolean; isBlocked: boolean; today: string }>

export const insertRfq = statement('insertRfq', { nullable: ['rfq'] }) as One<'tx',
  { id: string; professionalId: string; serviceId?: string | null; accountId: string; description: string; budget?: string | null; timeline?: string | null; preferredDate?: string | null; name: string; email: string; phone?: string | null; address?: unknown; photos: unknown; answers: unknown; source: string; sourceAgentId?: string | null; now: string | Date; provenAt?: string | Date | null; askedTogether?: string | null },
  { rfq: unknown },
  'rfq'>

export const listRfqs = statement('listRfqs', { nullable: ['items'] }) as One<'read',
  { accountId?: string | null; email: string; limit: number; offset: number; now: string | Date },
  { total: number; items: unknown },
  'items'>

export const listCustomerRfqs = statement('listCustomerRfqs', { nullable: ['items'] }) as One<'write',
  { customerEmail: string; limit: number; offset: number; now: string | Date },
  { total: number; items: unknown },
  'items'>

export const findLead = statement('findLead', { nullable: ['rfq'] }) as One<'read',
  { now: string | Date; id: string; professionalId: string },
  { rfq: unknown },
  'rfq'>

/** A request made to the pro, locked until the transaction ends. Always lock it before changing one of its quotes. */
export const lockRfq = statement('lockRfq', { nullable: ['serviceId'] }) as One<'tx',
  { id: string; professionalId: string },
  { id: string; status: 'new' | 'responded' | 'archived'; professionalId: string; serviceId: string | null }>

/** The requests that the customer sent to other pros at once, in the order in which they are locked. */
export const selectAskedTogether = statement('selectAskedTogether', { texts: { status: ['new', 'responded', 'archived'] } }) as Many<'tx',
  { id: string },
  { id: string; status: 'new' | 'responded' | 'archived'; isAccepted: boolean }>

export const markLost = statement('markLost') as Exec<'tx',
  { now: string | Date; id: string }>

export const setRfqStatus = statement('setRfqStatus') as Exec<'tx',
  { status: string; id: string }>
