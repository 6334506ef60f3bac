// Reads a pro's analytics in one statement.
import type { Runner } from '../../platform/postgres/database.ts'
import { statementFile } from '../../platform/postgres/statement-files.ts'

const proAnalytics = statementFile<{ body: string }>('pro-analytics', 'fresh')

/** The analytics of the last `days` days including today, or of all time for null, as JSON text (Analytics). */
export async function findAnalytics(
  db: Runner,
  { professionalId, now, days, period }: { professionalId: string; now: Date; days: number | null; period: string },
): Promise<string | undefined> {
  const rows = await proAnalytics.run(db, [professionalId, now.toISOString(), days, period])
  return rows[0]?.body
}
