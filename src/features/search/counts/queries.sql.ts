// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Adds counts of searches and of what they asked for in vain. A kind has at most :room rows on a day; what has no room counts as "other". Concurrent processes may each see the same room, so that a day may have one batch of each process more. */
export const addSearches = statement('addSearches') as Exec<'write',
  { days: readonly string[]; ways: readonly string[]; searches: readonly number[]; misses: readonly number[]; missedDays: readonly string[]; kinds: readonly string[]; phrases: readonly string[]; places: readonly string[]; times: readonly number[]; room: number }>

/** What was searched for in vain from a day to another, most often first. Typed words only if they were on :shown_from days. */
export const listMisses = statement('listMisses') as Many<'read',
  { first: string; last: string; shownFrom: number; limit: number },
  { kind: 'service' | 'any' | 'typed' | 'other'; phrase: string; place: string; times: number; last: string }>
