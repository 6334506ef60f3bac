// Reads a pro's analytics in one statement.
import { statementFile } from '../../../platform/postgres/statement-files.ts'
import type { Ctx } from '../../../ctx.ts'

const proAnalytics = statementFile<{ body: string }>('pro-analytics', 'fresh')

/** The analytics of the last `days` days including today, or of all time for null, as JSON text (Analytics). */
export async function findAnalytics(
  ctx: Ctx,
  { professionalId, now, days, period }: { professionalId: string; now: Date; days: number | null; period: string },
): Promise<string | undefined> {
  const rows = await proAnalytics.run(ctx.read, [professionalId, now.toISOString(), days, period])
  return rows[0]?.body
}
