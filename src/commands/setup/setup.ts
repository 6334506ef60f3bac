// `hearth setup`: prepares a Debian machine for servers and workers. A second run changes nothing that was edited.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { LINK_HOURS } from '../../auth/users/verbs/password-links.ts'
import { waitUntil } from '../../platform/clock/deadlines.ts'
import { UNNAMED } from '../../features/upkeep/marketplace/schemas.ts'
import { regionOf } from '../../platform/text/region.ts'
import { UsageError } from '../failure.ts'
import { respondsOk } from '../up/servers.ts'
import { connectionsOfSet, fits, poolSizeFor } from './connections.ts'
import {
  type Cluster,
  FIRST_CLUSTER,
  archives,
  controlCluster,
  ensureDatabase,
  findCluster,
  maxConnectionsOf,
  startCluster,
} from './database.ts'
import {
  PACKAGES,
  type Program,
  USER,
  ensureUser,
  hasSystemd,
  installPackages,
  must,
  requireReadable,
  shippedFiles,
} from './machine.ts'
import { type PlannedFile, type Written, openWritten } from './saved-files.ts'
import { type Answers, type SetupOptions, answersOf, environmentFile, savedSettings, shown } from './settings.ts'
import { PORTS, backupFiles, serviceFiles } from './units.ts'

const RECORD = '/etc/hearth/setup.json'
const HEARTH = '/usr/local/bin/hearth'
const MIGRATION_MS = 10 * 60_000
const READY_MS = 60_000
/** In the record of what was done. */
const STARTED = 'services'
const INVITED = 'operator'
/** Debian's max_connections, where there is no cluster to ask. */
const USUAL_CONNECTIONS = 100

const say = (subject: string, message: string) => console.log(`${subject.padEnd(14)} ${message}`)

/** Prepares this machine, or with `print` shows what it would do. Throws a UsageError that says what to do. */
export async function runSetup(options: SetupOptions): Promise<void> {
  const program = { bun: process.execPath, cli: join(import.meta.dir, '../../cli.ts') }
  if (options.print) return await print(await answersOf(options), program)
  if (process.getuid?.() !== 0)
    throw new UsageError(
      'Run `hearth setup` as root: it makes a system user, units and files in /etc. --print shows all of it.',
    )
  if (!Bun.which('apt-get'))
    throw new UsageError(
      '`hearth setup` needs Debian, or a system with apt-get. `hearth setup --print` shows what to do elsewhere.',
    )
  const answers = await answersOf(options)
  const cluster = await preparePrograms(program)
  const poolSize = await prepareDatabase(cluster)
  const written = openWritten(RECORD, await shippedFiles(PACKAGES))
  save(written, [environmentFile(answers, cluster, poolSize)])
  checkConnections(await maxConnectionsOf(cluster), Number(savedSettings().get('DATABASE_CONNECTIONS') ?? poolSize))
  const changed = save(written, serviceFiles(program, answers.domain))
  await prepareBackup(written, cluster)
  await prepareSchema(answers)
  const areNew = await startServices(written, changed)
  const link = await inviteOperator(written, answers)
  if (areNew || link !== undefined) sayNext(answers, link)
}

/** Packages and the system user. */
async function preparePrograms(program: Program): Promise<Cluster> {
  const installed = await installPackages(PACKAGES)
  const cluster = await findCluster()
  if (!cluster)
    throw new UsageError(
      'There is no cluster of PostgreSQL 15 or later: run `pg_createcluster 15 main`, and `hearth setup` again.',
    )
  installed.push(...(await installPackages([`postgresql-${cluster.major}-postgis-3`])))
  say('packages', installed.length > 0 ? `installed ${installed.join(', ')}` : 'all installed')
  say('user', (await ensureUser()) ? `${USER} exists` : `made ${USER}`)
  await requireReadable(program)
  return cluster
}

/** Role, database and extensions. Returns the size of pools that fits. */
async function prepareDatabase(cluster: Cluster): Promise<number> {
  await startCluster(cluster)
  const made = await ensureDatabase(cluster)
  const place = `PostgreSQL ${cluster.major}/${cluster.name} on port ${cluster.port}`
  say('database', made.length > 0 ? `${place}: made ${made.join(', ')}` : `${place} has role, database and extensions`)
  return poolSizeFor(await maxConnectionsOf(cluster))
}

function checkConnections(maxConnections: number, poolSize: number): void {
  const message = `two servers and the workers take at most ${connectionsOfSet(poolSize)} of ${maxConnections}`
  if (fits(poolSize, maxConnections)) return say('connections', message)
  const size = poolSizeFor(maxConnections)
  const remedy = fits(size, maxConnections)
    ? `set DATABASE_CONNECTIONS=${size}`
    : `raise max_connections of PostgreSQL to ${Math.ceil(connectionsOfSet(size) / 0.8)}`
  say('connections', `${message}, which leaves too few: ${remedy}`)
}

/** Writes the files, and says what became of each. Returns the paths of those that changed. */
function save(written: Written, files: readonly PlannedFile[]): Set<string> {
  const changed = new Set<string>()
  for (const file of files) {
    const { isWritten, message } = written.outcomeOf(file)
    if (isWritten) changed.add(file.path)
    say('file', `${file.path}: ${message}`)
  }
  return changed
}

/** The archive of changes and the nightly backup, unless the operator has an archive already. */
async function prepareBackup(written: Written, cluster: Cluster): Promise<void> {
  const files = backupFiles(cluster)
  const settings = files.at(-1)?.path ?? ''
  const isArchiving = await archives(cluster)
  if (isArchiving && !written.has(settings))
    return say('backup', 'PostgreSQL has an archive already, which stays: see docs/operators/backups.md')
  const changed = save(written, files)
  if (changed.has(settings)) {
    await controlCluster(cluster, 'restart')
    say('backup', 'restarted PostgreSQL, which archives its changes from now on')
  }
  const remedy = 'see /etc/pgbackrest.conf and docs/operators/backups.md, and run `hearth setup` again'
  await must(['pgbackrest', '--stanza=hearth', 'stanza-create'], { user: 'postgres', remedy })
  say('backup', 'nightly into /var/lib/pgbackrest: copy that folder to another machine, or use a bucket')
}

/** The schema, and on a new machine the name and the country. */
async function prepareSchema({ name, country }: Answers): Promise<void> {
  const remedy = 'mend that, and run `hearth setup` again'
  const migrated = await must([HEARTH, 'migrate'], { remedy, timeoutMs: MIGRATION_MS })
  const applied = migrated.split('\n').filter((line) => line.startsWith('applied')).length
  say('schema', applied > 0 ? `applied ${applied} migrations` : 'up to date')
  const saved = JSON.parse(await must([HEARTH, 'marketplace', 'export'], { remedy })) as { name: string }
  if (saved.name !== UNNAMED.name || name === undefined || name === saved.name)
    return say(
      'name',
      name === undefined || name === saved.name
        ? saved.name
        : `${saved.name}, which stays: change it at /console/marketplace`,
    )
  const folder = mkdtempSync(join(tmpdir(), 'hearth-setup-'))
  try {
    const file = join(folder, 'marketplace.json')
    writeFileSync(file, JSON.stringify({ name, country }))
    await must(['chown', '-R', USER, folder], { remedy })
    await must([HEARTH, 'marketplace', 'import', file], {
      remedy: 'choose another --name, and run `hearth setup` again',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  say('name', country === undefined ? name : `${name}, ${regionOf({ country }).name}`)
}

/** Makes the operator and a link for choosing a password, once. Returns the link. */
async function inviteOperator(written: Written, { operator }: Answers): Promise<string | undefined> {
  if (operator === undefined) return undefined
  if (written.has(INVITED)) {
    say('operator', `one was invited before: \`hearth users link ${operator}\` prints a link for a user there is`)
    return undefined
  }
  const remedy = `run \`hearth users link ${operator}\`, which makes a link for a user there is`
  const invited = await must([HEARTH, 'users', 'invite', operator, '--role', 'operator', '--json'], { remedy })
  written.remember(INVITED)
  say('operator', `made ${operator}, who chooses a password`)
  return (JSON.parse(invited) as { link: string }).link
}

const SERVICES = [`hearth-server@${PORTS[0]}.service`, 'hearth-workers.service', 'hearth-backup.timer']

/** The units that the operator has kept. */
const keptServices = () => SERVICES.filter((name) => existsSync(`/etc/systemd/system/${name.replace(/@\d+\./, '@.')}`))

/** Enables and starts everything, once: whether it runs is the operator's business from then on. Returns whether it did. */
async function startServices(written: Written, changed: ReadonlySet<string>): Promise<boolean> {
  const services = keptServices()
  if (!hasSystemd()) {
    say('services', `systemd does not run here: start ${services.join(', ')}, redis-server and caddy where it does`)
    return false
  }
  const remedy = `see \`journalctl -u 'hearth-*' -n 50\`, and run \`hearth setup\` again`
  await must(['systemctl', 'daemon-reload'], { remedy })
  if (changed.has('/etc/caddy/Caddyfile')) await must(['systemctl', 'reload-or-restart', 'caddy.service'], { remedy })
  if (written.has(STARTED)) {
    say('services', 'were started before: `systemctl status "hearth-*"` says what runs')
    return false
  }
  await must(['systemctl', 'enable', '--now', 'redis-server.service', 'caddy.service', ...services], { remedy })
  const url = `http://127.0.0.1:${PORTS[0]}/readyz`
  if (!(await waitUntil(() => respondsOk(url), READY_MS, 200)))
    throw new UsageError(`The server is not ready after ${READY_MS / 1000} s → ${remedy}`)
  written.remember(STARTED)
  say('services', `running: ${services.join(', ')}`)
  return true
}

/** What a person does then. The link is shown only here. */
function sayNext({ domain }: Answers, link: string | undefined): void {
  const how =
    link === undefined
      ? `\`hearth users invite you@${domain} --role operator\` prints a link for the first operator`
      : `open this link within ${LINK_HOURS} hours, once: it leads to all that is left to do`
  say('next', `${how}; \`hearth doctor --launch\` checks everything`)
  if (link !== undefined) console.log(`\n${link}\n`)
}

/** Shows every step and every file. */
async function print(answers: Answers, program: Program): Promise<void> {
  const cluster = (await findCluster()) ?? FIRST_CLUSTER
  const poolSize = poolSizeFor(USUAL_CONNECTIONS)
  const steps = [
    ['packages', `apt-get install ${PACKAGES.join(' ')} postgresql-${cluster.major}-postgis-3`],
    ['user', `the system user ${USER}`],
    ['database', `role ${USER}, database ${USER} and the extensions, by PostgreSQL's superuser`],
    ['connections', `two servers and the workers take at most ${connectionsOfSet(poolSize)} of ${USUAL_CONNECTIONS}`],
    ['backup', 'pgbackrest stanza-create, after a restart of PostgreSQL'],
    ['schema', `${HEARTH} migrate`],
    ['name', answers.name ?? 'stays'],
    ['country', answers.country ?? 'stays, or US'],
    ['operator', answers.operator ?? 'by `hearth users invite`, which prints a one-time link'],
    ['services', `systemctl enable --now ${SERVICES.join(' ')}`],
  ] as const
  for (const [subject, message] of steps) say(subject, message)
  for (const file of [
    environmentFile(answers, cluster, poolSize),
    ...serviceFiles(program, answers.domain),
    ...backupFiles(cluster),
  ])
    console.log(`\n# ${file.path} (mode ${file.mode.toString(8)})\n${shown(file)}`.trimEnd())
}
