// SQL of the records that prepared work shows: a customer's history, a day, photos. Every statement filters by the pro.
import { statementFile } from '../../../../platform/postgres/statement-files.ts'
import type { LineItem } from '../../../quoting/quotes/schemas.ts'
import type { Assessment, DayBrief, JobMedia } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './pro-records.sql.ts'

/** The customer's latest ten requests, bookings and jobs with the pro, by e-mail address, without the subject itself. */
export async function selectCustomerHistory(
  ctx: Ctx,
  { professionalId, email, exceptId }: { professionalId: string; email: string; exceptId: string },
): Promise<Assessment['history']> {
  return await statements.selectCustomerHistory(ctx, { professionalId, email, exceptId })
}

/** A day as the statement file returns it. */
export type StoredDay = Omit<DayBrief, 'stops' | 'jobs' | 'bookedMinutes' | 'warnings'> & {
  stops: (Omit<DayBrief['stops'][number], 'address' | 'bring'> & {
    address: Record<string, string | null> | null
    package: string | null
    includes: string[]
    minutesBefore: number | null
  })[]
  jobs: (Omit<DayBrief['jobs'][number], 'address' | 'bring'> & {
    address: Record<string, string | null> | null
    lineItems: LineItem[]
  })[]
}

const proDay = statementFile<{ body: string }>('pro-day', 'fresh')

/** The pro's day; today in their time zone when `date` is null. */
export async function findDay(
  ctx: TxCtx,
  { professionalId, date, now }: { professionalId: string; date: string | null; now: Date },
): Promise<StoredDay | undefined> {
  const [row] = await proDay.run(ctx.tx, [professionalId, date, now.toISOString()])
  return row && (JSON.parse(row.body) as StoredDay)
}

/** Photos of a request, and of published reviews of its job. */
export async function selectMedia(
  ctx: Ctx,
  { professionalId, rfqId, jobId }: { professionalId: string; rfqId: string | null; jobId: string | null },
): Promise<JobMedia['media']> {
  return await statements.selectMedia(ctx, { rfqId, professionalId, jobId })
}
