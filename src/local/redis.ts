// Opens a Redis: an existing server by URL, or a private one in a folder.
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findRedis } from './binaries.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { type Note, ensureInstalled } from './install.ts'
import { findFreePort } from './ports.ts'
import { LocalSetupError, explainDiskError } from './setup-error.ts'
import { isAlive, readIfExists, runTool, signalIfAlive, isRunningIn } from './processes.ts'
import { waitUntil } from '../platform/clock/deadlines.ts'
import { connectRedis, redisPlace } from '../platform/redis/address.ts'
import { type StoreFolder, fitsSocket, passwordIn, prepareFolder } from './store-folder.ts'

export interface RedisOptions {
  /** The folder of this stack, such as `.hearth/dev`; Redis is in `<dir>/redis`. */
  dir: string
  note: Note
  /** An existing server: it is checked and never started or stopped. */
  url?: string | undefined
}

export interface LocalRedis {
  readonly url: string
  readonly logFile: string
  /** False when it was already running: a server given by URL, or one left by a killed command. */
  readonly started: boolean
  /** Whether its process runs; true for a server given by URL. */
  isRunning(): Promise<boolean>
  stop(): Promise<void>
  /** Restarts it, empty, on the same port, also after it died. */
  restart(): Promise<void>
}

/** Opens Redis. Throws a {@link LocalSetupError} when this machine cannot. */
export async function openRedis(options: RedisOptions): Promise<LocalRedis> {
  if (options.url) return openExisting(options.url)
  const lock = lockFolder(options.dir, 'redis-claim')
  if (!lock) throw new LocalSetupError(`Another command uses the Redis of ${options.dir}.`)
  try {
    return await openPrivate(options, lock.release)
  } catch (error) {
    lock.release()
    throw explainDiskError(error)
  }
}

async function openPrivate({ dir, note }: RedisOptions, release: () => void): Promise<LocalRedis> {
  await ensureInstalled({ postgres: false, redis: true }, note)
  const folder = await prepareFolder(dir, 'redis', ['redis', 'nobody'])
  const password = passwordIn(folder)
  const portFile = join(folder.path, 'port')
  const lastPort = Number(readIfExists(portFile)) || undefined
  const urlOn = (port: number) => `redis://:${password}@127.0.0.1:${port}/0${socketParameter(folder)}`
  const adopted = await adopt(folder, lastPort, urlOn)
  const port = adopted ?? (await start(folder, password, lastPort, urlOn))
  writeFileSync(portFile, String(port), { mode: 0o600 })
  return {
    url: urlOn(port),
    logFile: logOf(folder),
    started: adopted === undefined,
    isRunning: () => isRunningIn(pidOf(folder), folder.path),
    stop: () => stop(folder).finally(release),
    restart: async () => {
      await stop(folder)
      if ((await start(folder, password, port, urlOn)) === port) return
      await stop(folder)
      throw new LocalSetupError(`Port ${port} was taken while Redis was down.`)
    },
  }
}

const socketOf = (folder: StoreFolder) => join(folder.path, 'redis.sock')

/** ioredis connects to the socket in `path`. Clients that only use TCP take host and port from the URL. */
const socketParameter = (folder: StoreFolder) =>
  fitsSocket(socketOf(folder)) ? `?path=${encodeURIComponent(socketOf(folder))}` : ''

const logOf = (folder: StoreFolder) => join(folder.path, 'redis.log')
const pidOf = (folder: StoreFolder) => Number(readIfExists(join(folder.path, 'redis.pid')))

/** A shell script that runs `$0` with a umask for this user only: Redis opens its log and pid file to all. */
const PRIVATELY = 'umask 077; exec "$0" "$@"'

async function start(
  folder: StoreFolder,
  password: string,
  preferred: number | undefined,
  urlOn: (port: number) => string,
): Promise<number> {
  const program = await findRedis()
  const config = join(folder.path, 'redis.conf')
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort(attempt === 1 ? preferred : undefined)
    writeFileSync(config, configuration(folder, port, password), { mode: 0o600 })
    if (folder.account) chownSync(config, folder.account.uid, folder.account.gid)
    const { ok, output } = await runTool(['sh', '-c', PRIVATELY, program ?? 'redis-server', config], {
      account: folder.account,
    })
    if (ok && (await waitUntil(() => answers(urlOn(port)), 5000))) return port
    if (attempt === 3) {
      const lastLine = `${output}\n${readIfExists(logOf(folder))}`.trim().split('\n').at(-1)
      throw new LocalSetupError(`Redis did not start: ${lastLine}\nIts log is ${logOf(folder)}.`)
    }
  }
}

/** Redis writes nothing to disk: it holds only queues and counters, and losing them loses no data. */
const configuration = (folder: StoreFolder, port: number, password: string) => `# Written by hearth at every start.
bind 127.0.0.1
port ${port}
${fitsSocket(socketOf(folder)) ? `unixsocket ${JSON.stringify(socketOf(folder))}\nunixsocketperm 700` : ''}
requirepass ${password}
dir ${JSON.stringify(folder.path)}
pidfile ${JSON.stringify(join(folder.path, 'redis.pid'))}
logfile ${JSON.stringify(logOf(folder))}
daemonize yes
maxmemory-policy noeviction
appendonly no
save ""
`

/** Reuses a server left by a killed command if it responds, and stops it if it does not. */
async function adopt(folder: StoreFolder, port: number | undefined, urlOn: (port: number) => string) {
  if (!(await isRunningIn(pidOf(folder), folder.path))) return undefined
  if (port && (await answers(urlOn(port)))) return port
  await stop(folder)
  return undefined
}

async function stop(folder: StoreFolder): Promise<void> {
  const pid = pidOf(folder)
  if (!(await isRunningIn(pid, folder.path))) return
  signalIfAlive(pid, 'SIGTERM')
  if (await waitUntil(() => !isAlive(pid), 5000)) return
  signalIfAlive(pid, 'SIGKILL')
  await waitUntil(() => !isAlive(pid), 2000)
}

async function answers(url: string): Promise<boolean> {
  return (await failureOf(url)) === undefined
}

async function failureOf(url: string): Promise<string | undefined> {
  const redis = connectRedis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 3000 })
  // Without a listener ioredis prints every failed attempt. `connect` rejects with the same failure.
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    await redis.ping()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    redis.disconnect()
  }
}

async function openExisting(url: string): Promise<LocalRedis> {
  const failure = await failureOf(url)
  if (failure) throw new LocalSetupError(`Cannot use the Redis at ${redisPlace(url)} (REDIS_URL): ${failure}`)
  const leaveAlone = () => Promise.resolve()
  const isRunning = () => Promise.resolve(true)
  return { url, logFile: '', started: false, isRunning, stop: leaveAlone, restart: leaveAlone }
}
