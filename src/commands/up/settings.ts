// The settings of `hearth up` from the environment, validated before anything starts.
import { join, resolve } from 'node:path'

import { ACTOR_NAMES, isActorName } from '../../../workers/runtime/actor-names.ts'
import { FEATURES, readConfig } from '../../config.ts'
import { ConfigError } from '../../platform/environment.ts'
import { LOCAL_FOLDER } from '../../local/stack.ts'

export type Environment = Record<string, string | undefined>

export interface UpSettings {
  readonly folder: string
  readonly host: string
  readonly port: number
  readonly baseUrl: string
  /** How a database that has not begun is to begin. By default one of this folder with demo data, and one of `databaseUrl` empty. */
  readonly begins: 'empty' | 'demo' | undefined
  readonly seedPros: number
  readonly httpProcesses: number
  readonly drainDelayMs: number
  /** URLs of existing stores; undefined runs a private one. */
  readonly databaseUrl: string | undefined
  /** The existing PostgreSQL itself, when `databaseUrl` leads through a pooler. */
  readonly databaseDirectUrl: string | undefined
  readonly redisUrl: string | undefined
  /** Whether e-mails leave this machine. */
  readonly hasMailServer: boolean
}

/** The options of `hearth up`. */
export interface UpOptions {
  empty?: true
  demo?: true
}

/** Throws a ConfigError naming the variable or option that cannot be used. */
export function readUpSettings(env: Environment, { empty, demo }: UpOptions = {}): UpSettings {
  if (env['HEARTH_ENV'] === 'production')
    throw new ConfigError(
      '`npm start` is for trying and development, and HEARTH_ENV is production. There `hearth setup` prepares a Debian machine; elsewhere run `hearth migrate`, `hearth serve` and `hearth work`: docs/operators/running.md.',
    )
  if (empty && demo) throw new ConfigError('--empty begins without demo data and --demo with it: choose one.')
  // Parses the servers' configuration too, with placeholders for the stores, so that an invalid value is reported before
  // a minute of installing and seeding.
  const config = readConfig(
    serverEnvironment(env, {
      databaseUrl: env['DATABASE_URL'] || 'postgres://placeholder',
      redisUrl: env['REDIS_URL'] || 'redis://placeholder',
      secret: env['HEARTH_SECRET'] || 'a placeholder for the secret of the folder',
    }),
  )
  const unknown = [...config.workerProcesses.keys()].find((name) => !isActorName(name))
  if (unknown !== undefined)
    throw new ConfigError(
      `WORKERS_${unknown.toUpperCase().replaceAll('-', '_')} must name one of the actors: ${ACTOR_NAMES.join(', ')}.`,
    )
  return {
    folder: localFolder(env),
    host: config.host,
    port: config.port,
    baseUrl: config.baseUrl,
    begins: empty ? 'empty' : demo ? 'demo' : undefined,
    seedPros: wholeNumber(env, 'HEARTH_SEED_PROS', 20_000, 1, 2_000_000),
    httpProcesses: wholeNumber(env, 'HTTP_PROCESSES', 1, 1, 256),
    drainDelayMs: config.drainDelayMs,
    databaseUrl: env['DATABASE_URL'] || undefined,
    databaseDirectUrl: config.databaseDirectUrl,
    redisUrl: env['REDIS_URL'] || undefined,
    hasMailServer: config.mail.server !== undefined,
  }
}

/** The folder of all local data: HEARTH_HOME, or `.hearth` beside the code. */
export const localFolder = (env: Environment): string =>
  env['HEARTH_HOME'] ? resolve(env['HEARTH_HOME']) : LOCAL_FOLDER

/** The variables that `hearth up` sets for the processes it starts. */
interface Provided {
  databaseUrl: string
  redisUrl: string
  secret: string
}

/** Whether only this machine reaches the server. Such a server is for trying out, with receivers of webhooks beside it. */
const isForThisMachine = (env: Environment): boolean =>
  !env['BASE_URL'] && ['127.0.0.1', '::1', 'localhost'].includes(env['HOST'] || '127.0.0.1')

/** The environment of a server: the current one, the stores, and every feature that is not turned off. */
export function serverEnvironment(env: Environment, { databaseUrl, redisUrl, secret }: Provided): Environment {
  const features = Object.fromEntries(FEATURES.map((name) => [name, env[name] || 'true']))
  const stores = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, HEARTH_SECRET: secret }
  return {
    ...env,
    ...features,
    ...stores,
    WEBHOOK_ALLOW_PRIVATE: env['WEBHOOK_ALLOW_PRIVATE'] || String(isForThisMachine(env)),
    FILES_FOLDER: env['FILES_FOLDER'] || join(localFolder(env), 'files'),
  }
}

function wholeNumber(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
}
