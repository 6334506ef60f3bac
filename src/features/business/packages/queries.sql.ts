// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectPackages = statement('selectPackages', { nullable: ['packages'] }) as One<'read',
  { testAccountId?: string | null; professionalId?: string | null; kind?: string | null; serviceId?: string | null; cityIds?: readonly number[] | null; state?: string | null; bedrooms?: number | null; maxPriceCents?: number | null; isBookable: boolean; limit: number; offset: number },
  { total: number; packages: unknown },
  'packages'>

export const selectPackagesByIdOrSku = statement('selectPackagesByIdOrSku', { nullable: ['package'] }) as Many<'read',
  { testAccountId?: string | null; ids: readonly string[]; names: readonly string[] },
  { package: unknown },
  'package'>

export const countPackages = statement('countPackages') as One<'read',
  {},
  { count: number }>

export const selectSkus = statement('selectSkus') as Many<'read',
  { limit: number; offset: number },
  { sku: string }>

export const upsertPackage = statement('upsertPackage') as Exec<'tx',
  { id: string; professionalId: string; serviceId: string; sku: string; kind: string; name: string; description?: string | null; priceCents: number; includes: readonly string[]; cadence: string; durationMinutes: number; bedrooms?: number | null; bathrooms?: number | null; now: string | Date }>

/** Deactivates the offer's package. Its row keeps the sku for a later reactivation. */
export const deactivatePackage = statement('deactivatePackage') as Exec<'tx',
  { now: string | Date; professionalId: string; serviceId: string }>
