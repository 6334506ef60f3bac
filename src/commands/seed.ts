// `hearth seed`: fills an empty database with demo data.
import { connect } from '../platform/postgres/open-database.ts'
import { directUrlOf } from '../platform/postgres/configured-urls.ts'
import { primaryUrl } from '../platform/postgres/primary.ts'
import { SeedRefused, seed } from '../local/seed/seed.ts'
import { UsageError } from './failure.ts'
import { commandConfig } from './command-deps.ts'

interface SeedCommandOptions {
  pros: string
  seed: string
}

/** Seeds the empty database of this folder or of DATABASE_URL, and prints progress. */
export async function runSeed(options: SeedCommandOptions): Promise<void> {
  const pros = wholeNumber('--pros', options.pros, 10_000_000)
  const number = wholeNumber('--seed', options.seed, 2 ** 31 - 1)
  const sql = connect(await primaryUrl(directUrlOf(commandConfig())), 1, { applicationName: 'hearth-seed' })
  try {
    const counts = await seed(sql, { pros, seed: number, now: new Date(), note: (line) => console.log(line) })
    for (const [table, rows] of Object.entries(counts)) console.log(`${rows.toLocaleString('en-US')} ${table}`)
  } catch (error) {
    if (error instanceof SeedRefused) throw new UsageError(error.message)
    throw error
  } finally {
    await sql.end()
  }
}

function wholeNumber(option: string, text: string, highest: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= highest) return value
  throw new UsageError(`${option} must be a whole number from 0 to ${highest.toLocaleString('en-US')}, not "${text}".`)
}
