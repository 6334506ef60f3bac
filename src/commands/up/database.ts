// The database of `hearth up`: migrated, and begun with demo data or empty.
import type { Sql } from '../../platform/postgres/database.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import { type Beginning, noteBeginning, readBeginning } from '../../local/seed/beginning.ts'
import { ensurePlaces } from '../../local/seed/load-catalog.ts'
import { seed } from '../../local/seed/seed.ts'
import { LocalSetupError } from '../../local/setup-error.ts'
import type { UpSettings } from './settings.ts'

export interface Preparation {
  sql: Sql
  settings: UpSettings
  note: (line: string) => void
}

/** Brings the database to this version and begins it, once. Returns whether it holds demo data. */
export async function prepareDatabase({ sql, settings, note }: Preparation): Promise<boolean> {
  const { applied } = await migrate(sql)
  if (applied.length > 0) note(`migrated the database (${applied.length} files)`)
  const beginning = await readBeginning(sql)
  const isDemo = choosesDemo(settings, beginning)
  const now = new Date()
  if (isDemo && !beginning.hasPros) {
    note(`seeding ${settings.seedPros.toLocaleString('en')} demo pros in real cities (once)`)
    await seed(sql, { pros: settings.seedPros, seed: 1, now, note })
  }
  if (!isDemo && beginning.hasDemoData === undefined && !beginning.hasPros) {
    note('starting an empty marketplace: places, and an empty catalog (once)')
    await ensurePlaces(sql)
    await noteBeginning(sql, { hasDemoData: false, now })
  }
  return isDemo
}

/**
 * Whether the database holds demo data, or gets it now. A database of this folder does unless it began empty; a database of one's
 * own only where it was asked for. Throws where what was asked for contradicts what is there.
 */
function choosesDemo({ folder, databaseUrl, begins }: UpSettings, { hasDemoData, hasPros }: Beginning): boolean {
  // Databases of earlier versions say nothing: those of a folder have demo data, those of one's own may have anything.
  const holdsDemo = hasDemoData ?? (hasPros && databaseUrl === undefined)
  const place = databaseUrl === undefined ? `The database in ${folder}` : 'The database of DATABASE_URL'
  const another =
    databaseUrl === undefined
      ? 'Choose another folder:  HEARTH_HOME=/path npm start --'
      : 'Choose an empty database for'
  if (begins === 'empty' && (holdsDemo || (hasPros && hasDemoData === undefined)))
    throw new LocalSetupError(`${place} holds ${holdsDemo ? 'demo data' : 'pros'} already. ${another} --empty`)
  if (begins === 'demo' && hasPros && !holdsDemo)
    throw new LocalSetupError(`${place} has pros of its own, among whom demo data would stay. ${another} --demo`)
  if (holdsDemo || begins === 'demo') return true
  return databaseUrl === undefined && begins === undefined && hasDemoData === undefined && !hasPros
}
