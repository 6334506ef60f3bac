// Installs missing stores with apt as root, or else prints what to install.
import { OLDEST_POSTGRES, findPostgres, findRedis, listPostgres } from './binaries.ts'
import { aptInstall, isAvailableInApt } from './apt.ts'
import { LocalSetupError } from './setup-error.ts'

export type Note = (line: string) => void

export interface Needs {
  postgres: boolean
  redis: boolean
}

/**
 * Installs the needed stores. When it cannot, throws a {@link LocalSetupError} that explains on one screen what to
 * install.
 */
export async function ensureInstalled(needs: Needs, note: Note): Promise<void> {
  const before = await missing(needs)
  if (before.length === 0) return
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) throw new LocalSetupError(installInstructions(before))
  await aptInstall(() => packagesFor(needs), note)
  const after = await missing(needs)
  if (after.length > 0) throw new LocalSetupError(installInstructions(after))
}

interface Missing {
  program: string
  /** The package names in Debian 12. */
  packages: string
}

async function missing(needs: Needs): Promise<Missing[]> {
  const list: Missing[] = []
  if (needs.postgres && !(await findPostgres())) {
    const major = (await listPostgres()).find((one) => one.major >= OLDEST_POSTGRES)?.major
    if (major) list.push({ program: `PostGIS for PostgreSQL ${major}`, packages: `postgresql-${major}-postgis-3` })
    else list.push({ program: 'PostgreSQL with PostGIS', packages: 'postgresql-15 postgresql-15-postgis-3' })
  }
  if (needs.redis && !(await findRedis())) list.push({ program: 'Redis', packages: 'redis-server' })
  return list
}

/** The packages to install, or undefined when apt's lists lack one of them. */
async function packagesFor(needs: Needs): Promise<string[] | undefined> {
  const names: string[] = []
  if (needs.postgres && !(await findPostgres())) {
    const installed = (await listPostgres()).map((one) => one.major)
    const offered = await offeredVersions()
    const major = installed.find((version) => offered.includes(version)) ?? offered[0]
    if (!major) return undefined
    names.push(`postgresql-${major}-postgis-3`)
    if (!installed.includes(major)) names.push(`postgresql-${major}`)
  }
  if (needs.redis && !(await findRedis())) names.push('redis-server')
  const offers = await Promise.all(names.map(isAvailableInApt))
  return offers.every(Boolean) ? names : undefined
}

/** PostgreSQL versions with PostGIS in apt's lists: first 15, which the benchmarks use, then the newest. */
async function offeredVersions(): Promise<number[]> {
  const versions = await Promise.all(
    [15, 16, 17, 18, 19].map(async (major) =>
      (await isAvailableInApt(`postgresql-${major}-postgis-3`)) ? [major] : [],
    ),
  )
  const [measured, others] = [versions.flat().filter((v) => v === 15), versions.flat().filter((v) => v !== 15)]
  return [...measured, ...others.toReversed()]
}

/** One screen: the missing programs and the commands that install them. */
const installInstructions = (missing: readonly Missing[]): string => `\
Not found on this machine: ${missing.map(({ program }) => program).join(', ')}.
Hearth runs a private PostgreSQL (${OLDEST_POSTGRES} or later, with PostGIS 3) and a private Redis. Install them:

  Debian, Ubuntu   sudo apt-get install -y ${missing.map(({ packages }) => packages).join(' ')}
                   (replace 15 by the version your distribution has)
  macOS            brew install postgresql@17 postgis redis
  Docker           docker compose up -d postgres redis

Or use servers you already have:

  DATABASE_URL=postgres://user:password@host:5432/hearth REDIS_URL=redis://host:6379 npm start

Then run the same command again. As root on Debian or Ubuntu, npm start installs them itself.`
