// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** What happened on each day of real pros, on the pros' clocks; none for a day without anything. */
export const listDaysOfPros = statement('listDaysOfPros') as Many<'read',
  { first: string; last: string },
  { day: string; bookings: number; rfqs: number; done: number; cents: number; reviews: number }>
