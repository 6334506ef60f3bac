// Written by `npm run schema` from demo.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const chooseDemoPro = statement('chooseDemoPro') as One<undefined,
  {},
  { id: string; slug: string; email: string }>

export const openDemoPro = statement('openDemoPro') as Exec<undefined,
  { id: string }>

export const countDemoKeys = statement('countDemoKeys') as One<undefined,
  { hashes: string },
  { count: number }>

/** The demo pro, and the plumbers nearest to Austin. */
export const choosePicturedPros = statement('choosePicturedPros') as Many<undefined,
  { id: string },
  { id: string; accountId: string }>
