// The URLs of PostgreSQL in the environment: one primary, which may name several hosts, and any number of replicas.
import { ConfigError, type Environment } from '../environment.ts'
import { SESSION_ATTRIBUTES, SEVERAL_HOSTS, hostUrls } from './address.ts'

const PRIMARY_ATTRIBUTES = ['read-write', 'primary']
const REPLICA_ATTRIBUTES = ['any', 'read-only', 'standby', 'prefer-standby']

/** The URL of the primary, which may name several hosts. Throws {@link ConfigError} without the value: it may contain a password. */
export function primaryUrlOf(env: Environment, name: string): string {
  const text = env[name]?.replace(/\/$/, '')
  if (!text)
    throw new ConfigError(
      `${name} is not set. \`npm start\` sets it to a private one; see docs/operators/configuration.md.`,
    )
  checkUrl(name, text, PRIMARY_ATTRIBUTES)
  return text
}

/** One URL for each replica, of several URLs separated by commas. Throws {@link ConfigError}. */
export function replicaUrlsOf(env: Environment, name: string): string[] {
  const texts = (env[name] ?? '').split(/,\s*(?=postgres(?:ql)?:\/\/)/).filter(Boolean)
  for (const text of texts) checkUrl(name, text, REPLICA_ATTRIBUTES)
  return texts.flatMap(hostUrls)
}

function checkUrl(name: string, text: string, attributes: readonly string[]): void {
  const [, start = '', hosts = '', rest = ''] = SEVERAL_HOSTS.exec(text) ?? []
  const urls = hosts.split(',').map((host) => start + host + rest)
  const isEmpty = hosts.includes(',') && hosts.split(',').includes('')
  if (!start || isEmpty || !urls.every((url) => URL.canParse(url)))
    throw new ConfigError(`${name} must be a URL that begins with postgres:// or postgresql://.`)
  const attribute = new URL(urls[0] ?? '').searchParams.get(SESSION_ATTRIBUTES)
  if (attribute !== null && !attributes.includes(attribute))
    throw new ConfigError(`target_session_attrs of ${name} must be ${attributes.join(' or ')}, not "${attribute}".`)
}

/** How connections are opened that lead through a pooler. */
export interface Pooler {
  /** It keeps prepared statements: PgBouncer 1.21 or later with max_prepared_statements. */
  readonly prepares: boolean
}

/** The URLs of a configuration. */
export interface Routes {
  /** May name several hosts: the one that accepts writes is used. */
  readonly databaseUrl: string
  /** Replicas for reads that may be old; the primary when empty. */
  readonly databaseReadUrls: readonly string[]
  /** PostgreSQL itself, when the other URLs lead through a pooler such as PgBouncer. */
  readonly databaseDirectUrl: string | undefined
  /** Whether that pooler keeps prepared statements. */
  readonly poolerPrepares: boolean
}

/** How the pools of these URLs are opened. Undefined: the URLs lead to PostgreSQL itself. */
export const poolerOf = ({ databaseDirectUrl, poolerPrepares }: Routes): Pooler | undefined =>
  databaseDirectUrl === undefined ? undefined : { prepares: poolerPrepares }

/** The URL of sessions that LISTEN, lock or run for long, and of migrations. */
export const directUrlOf = ({ databaseDirectUrl, databaseUrl }: Pick<Routes, 'databaseDirectUrl' | 'databaseUrl'>) =>
  databaseDirectUrl ?? databaseUrl
