// The steps of `hearth setup` in PostgreSQL: the role, the database and its extensions, made by PostgreSQL's own superuser.
import { runTool } from '../../local/processes.ts'
import { EXTENSIONS } from '../../platform/postgres/extensions.ts'
import { USER, must } from './machine.ts'

/** A cluster of Debian's PostgreSQL. */
export interface Cluster {
  readonly major: number
  readonly name: string
  readonly port: number
  readonly isOnline: boolean
  readonly data: string
}

const OLDEST = 15

/** What a machine without clusters gets by installing `postgresql`, on Debian 12. */
export const FIRST_CLUSTER: Cluster = {
  major: 15,
  name: 'main',
  port: 5432,
  isOnline: false,
  data: '/var/lib/postgresql/15/main',
}

/** The newest cluster of this machine; undefined without one of a version that Hearth can use. */
export async function findCluster(): Promise<Cluster | undefined> {
  const { ok, output } = await runTool(['pg_lsclusters', '--no-header'])
  const lines = ok ? output.trim().split('\n') : []
  const clusters = lines.map((line): Cluster => {
    const [major, name = '', port, status = '', , data = ''] = line.split(/\s+/)
    return { major: Number(major), name, port: Number(port), isOnline: status.startsWith('online'), data }
  })
  return clusters.filter(({ major }) => major >= OLDEST).toSorted((a, b) => b.major - a.major)[0]
}

/** Runs one statement as the superuser and returns the first value. */
const ask = ({ port }: Cluster, statement: string, database = 'postgres'): Promise<string> =>
  must(['psql', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-p', String(port), '-d', database, '-c', statement], {
    user: 'postgres',
    remedy: 'see the log in /var/log/postgresql, and run `hearth setup` again',
  })

/** Starts the cluster unless it runs. */
export async function startCluster(cluster: Cluster): Promise<void> {
  if (!cluster.isOnline) await controlCluster(cluster, 'start')
}

/** Starts or restarts the cluster, by systemd where it runs. */
export const controlCluster = ({ major, name }: Cluster, act: 'start' | 'restart'): Promise<string> =>
  must(['pg_ctlcluster', String(major), name, act], {
    remedy: `see /var/log/postgresql/postgresql-${major}-${name}.log, and run \`hearth setup\` again`,
  })

export const maxConnectionsOf = async (cluster: Cluster): Promise<number> =>
  Number(await ask(cluster, 'show max_connections'))

/** Whether the cluster archives its log of changes already, by settings of its operator. */
export const archives = async (cluster: Cluster): Promise<boolean> =>
  (await ask(cluster, 'show archive_mode')) !== 'off'

/** Makes the role, the database and the extensions that are missing. Returns what was made. */
export async function ensureDatabase(cluster: Cluster): Promise<string[]> {
  const made: string[] = []
  const ensure = async (what: string, found: Promise<string>, make: () => Promise<unknown>) => {
    if ((await found) !== '') return
    await make()
    made.push(what)
  }
  await ensure(`role ${USER}`, ask(cluster, `select 1 from pg_roles where rolname = '${USER}'`), () =>
    ask(cluster, `create role ${USER} login`),
  )
  await ensure(`database ${USER}`, ask(cluster, `select 1 from pg_database where datname = '${USER}'`), () =>
    // The cluster of a machine without a language has the encoding SQL_ASCII.
    ask(cluster, `create database ${USER} owner ${USER} encoding 'UTF8' locale 'C.UTF-8' template template0`),
  )
  for (const name of EXTENSIONS)
    await ensure(`extension ${name}`, ask(cluster, `select 1 from pg_extension where extname = '${name}'`, USER), () =>
      ask(cluster, `create extension ${name}`, USER),
    )
  return made
}
