// Gets what is missing: with apt as root, otherwise by telling the reader what to install.
import { OLDEST_POSTGRES, findPostgres, findRedis, listPostgres } from './binaries.ts'
import { aptInstall, isAvailableInApt } from './apt.ts'
import { LocalSetupError } from './setup-error.ts'

export type Note = (line: string) => void

export interface Needs {
  postgres: boolean
  redis: boolean
}

/**
 * Returns once the needed stores are installed. Throws a {@link LocalSetupError} that says, on one screen, what to install
 * when this cannot be done from here.
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
  what: string
  /** As Debian 12 calls it. */
  packages: string
}

async function missing(needs: Needs): Promise<Missing[]> {
  const list: Missing[] = []
  if (needs.postgres && !(await findPostgres())) {
    const major = (await listPostgres()).find((one) => one.major >= OLDEST_POSTGRES)?.major
    if (major) list.push({ what: `PostGIS for PostgreSQL ${major}`, packages: `postgresql-${major}-postgis-3` })
    else list.push({ what: 'PostgreSQL with PostGIS', packages: 'postgresql-15 postgresql-15-postgis-3' })
  }
  if (needs.redis && !(await findRedis())) list.push({ what: 'Redis', packages: 'redis-server' })
  return list
}

/** Package names, or undefined when apt's lists do not offer them (yet). */
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

/** PostgreSQL versions with PostGIS in apt's lists: 15, the one Hearth is measured on, first; then the newest. */
async function offeredVersions(): Promise<number[]> {
  const versions = await Promise.all(
    [15, 16, 17, 18, 19].map(async (major) =>
      (await isAvailableInApt(`postgresql-${major}-postgis-3`)) ? [major] : [],
    ),
  )
  const [measured, others] = [versions.flat().filter((v) => v === 15), versions.flat().filter((v) => v !== 15)]
  return [...measured, ...others.toReversed()]
}

/** One screen: what is missing, and what to type on each kind of machine. */
const installInstructions = (missing: readonly Missing[]): string => `\
Not found on this machine: ${missing.map(({ what }) => what).join(', ')}.
Hearth runs its own PostgreSQL (${OLDEST_POSTGRES} or later, with PostGIS 3) and Redis, and needs their programs:

  Debian, Ubuntu   sudo apt-get install -y ${missing.map(({ packages }) => packages).join(' ')}
                   (another version than 15 where the distribution has another)
  macOS            brew install postgresql@17 postgis redis
  Docker           docker compose up -d postgres redis

or point it at servers you already have:

  DATABASE_URL=postgres://user:password@host:5432/hearth REDIS_URL=redis://host:6379 npm start

Then run the same command again. Root on Debian or Ubuntu needs none of this: npm start installs them.`
