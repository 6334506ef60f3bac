// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** What happened on each day of real pros, on the pros' clocks; none for a day without anything. */
export const listDaysOfPros = statement('listDaysOfPros') as Many<'read',
  { first: string; last: string },
  { day: string; bookings: number; rfqs: number; done: number; cents: number; reviews: number }>

/** What became of the bookings that were made on each day with real pros, on the pros' clocks; no row for a day without bookings. */
export const listBookingsByDay = statement('listBookingsByDay') as Many<'read',
  { first: string; last: string },
  { day: string; made: number; completed: number; missed: number; cancelled: number }>

/** The cancellations of each day in UTC, by who cancelled. Those from before this was recorded count as Hearth's. */
export const listCancellationsByDay = statement('listCancellationsByDay') as Many<'read',
  { since: string | Date; until: string | Date },
  { day: string; byCustomers: number; byPros: number; byHearth: number }>

/** The fees of payments that were begun on each day in UTC and paid, without those that were or are being refunded whole. */
export const listFeesByDay = statement('listFeesByDay') as Many<'read',
  { since: string | Date; until: string | Date },
  { day: string; cents: number }>

/** The real pros who joined on each day in UTC. */
export const listNewProsByDay = statement('listNewProsByDay') as Many<'read',
  { since: string | Date; until: string | Date },
  { day: string; joined: number }>

/** The searches for pros on each day in UTC, by how they came, and how many of them found none. */
export const listSearchesByDay = statement('listSearchesByDay') as Many<'read',
  { first: string; last: string },
  { day: string; byPages: number; byPrograms: number; byAgents: number; misses: number }>
