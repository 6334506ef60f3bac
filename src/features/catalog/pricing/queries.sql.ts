// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The statistics of a service in one place. `state` '' and `cityId` 0 mean everywhere. */
export const findPricing = statement('findPricing') as One<'read',
  { serviceId: string; state: string; cityId: number },
  { averageCents: number; medianCents: number; minCents: number; maxCents: number; professionalListings: number; acceptedQuotes: number; completedProjects: number; lastUpdated: string }>

export const refreshChangedPrices = statement('refresh_changed_prices') as One<'write',
  { now: string | Date; limit: number },
  { changes: number }>

export const setRepeatableRead = statement('setRepeatableRead') as Exec<undefined,
  {}>

export const correctPrices = statement('correct_prices', { nullable: ['drift'] }) as One<undefined,
  { now: string | Date; day: string },
  { drift: number | null }>

/** The latest daily pass and the drift it found. */
export const findLastPricingPass = statement('findLastPricingPass') as One<'read',
  {},
  { day: string; drift: number }>

export const measurePricingLag = statement('measurePricingLag') as One<'read',
  { now: string | Date },
  { waiting: number; oldestSeconds: number }>
