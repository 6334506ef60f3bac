// SQL of the records that prepared work shows: a customer's history, a day, photos. Every statement filters by the pro.
import { statementFile } from '../../../../platform/postgres/statement-files.ts'
import type { LineItem } from '../../../quoting/quotes/schemas.ts'
import type { DayBrief } from '../schemas.ts'
import type { TxCtx } from '../../../../ctx.ts'

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
