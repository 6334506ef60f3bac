// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The one of pros without a plan comes first, retired plans last. */
export const selectPlans = statement('selectPlans', { nullable: ['priceCents', 'retiredAt'] }) as Many<'read',
  {},
  { id: string; name: string; priceCents: number | null; tasks: number; hasAgentServer: boolean; retiredAt: string | null }>

export const findPlanForUpdate = statement('findPlanForUpdate', { nullable: ['priceCents', 'retiredAt'] }) as One<'tx',
  { id: string },
  { id: string; name: string; priceCents: number | null; tasks: number; hasAgentServer: boolean; retiredAt: string | null }>

export const insertPlan = statement('insertPlan') as One<'tx',
  { id: string; name: string; priceCents?: number | null; tasks: number; hasAgentServer: boolean },
  { id: string }>

export const savePlan = statement('savePlan') as Exec<'tx',
  { name: string; priceCents?: number | null; tasks: number; hasAgentServer: boolean; id: string }>

export const saveRetirement = statement('saveRetirement') as Exec<'tx',
  { at?: string | Date | null; id: string }>

/** The plan as it was given, also after its end, and the day in the pro's time zone. */
export const findPlanOfProForUpdate = statement('findPlanOfProForUpdate', { nullable: ['until'] }) as One<'tx',
  { now: string | Date; professionalId: string },
  { plan: string; until: string | null; today: string }>

export const savePlanOfPro = statement('savePlanOfPro') as Exec<'tx',
  { plan: string; until?: string | null; professionalId: string }>

export const findPlanOfPro = statement('findPlanOfPro', { nullable: ['until', 'endedPlan'] }) as One<'read',
  { now: string | Date; professionalId: string },
  { id: string; name: string; until: string | null; endedPlan: unknown },
  'endedPlan'>
