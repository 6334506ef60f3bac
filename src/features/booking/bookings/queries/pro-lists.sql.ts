// Written by `npm run schema` from pro-lists.sql. Do not edit.
import { type Many, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectBookingsBetween = statement('selectBookingsBetween', { nullable: ['booking'] }) as Many<'read',
  { now: string | Date; professionalId: string; onlyMemberId?: string | null; from: string; days: number },
  { booking: unknown },
  'booking'>
