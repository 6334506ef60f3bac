// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertParts = statement('insertParts') as Exec<'write',
  { parts: string }>

export const insertReport = statement('insertReport') as Exec<'write',
  { process: string; service: string; host: string; pid: number; at: string | Date; seconds: number; metrics: string }>

export const selectTraces = statement('selectTraces', { nullable: ['status'] }) as Many<'write',
  { beforeId?: number | null; route?: string | null; statusFrom?: number | null; statusTo?: number | null; minUs?: number | null; from?: string | Date | null; to?: string | Date | null; limit: number },
  { id: number; traceId: string; reason: 'sampled' | 'failed' | 'refused'; service: string; name: string; status: number | null; startedAt: string; durationUs: number }>

export const selectParts = statement('selectParts', { nullable: ['method', 'route', 'status', 'spans'] }) as Many<'write',
  { traceId: string },
  { traceId: string; reason: 'sampled' | 'failed' | 'refused'; service: string; name: string; method: string | null; route: string | null; status: number | null; startedAt: string; durationUs: number; spans: unknown; omittedSpans: number },
  'spans'>

export const selectProcesses = statement('selectProcesses', { nullable: ['metrics'] }) as Many<'write',
  { since: string | Date },
  { process: string; service: string; host: string; pid: number; at: string; seconds: number; metrics: unknown },
  'metrics'>

export const selectPoints = statement('selectPoints', { nullable: ['point', 'bounds'] }) as Many<'write',
  { since: string | Date; names: readonly string[] },
  { at: string; point: unknown; bounds: unknown },
  'point' | 'bounds'>

export const deleteParts = statement('deleteParts') as Many<'write',
  { reason: string; keep: number; limit: number },
  { id: number }>
