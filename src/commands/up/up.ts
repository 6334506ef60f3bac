// `hearth up`, which `npm start` runs: starts everything Hearth needs on this machine, until Ctrl-C.
import { join, relative } from 'node:path'

import { connect } from '../../platform/postgres/open-database.ts'
import { primaryUrl } from '../../platform/postgres/primary.ts'
import { type FolderLock, lockFolder } from '../../platform/folder-lock.ts'
import { bindError, findFreePort, isPortTaken } from '../../local/ports.ts'
import { LocalSetupError } from '../../local/setup-error.ts'
import { waitUntil } from '../../platform/clock/deadlines.ts'
import { readLocalStack, removeLocalStack, writeLocalStack } from '../../local/stack.ts'
import { explainFailure } from '../failure.ts'
import { prepareDatabase } from './database.ts'
import { demoFileIn, prepareDemo, writeAddresses } from './demo.ts'
import { type Lifecycle, StopRequested, openLifecycle } from './lifecycle.ts'
import { renderEmptyPanel, renderPanel } from './panel.ts'
import { ensureSecret } from './secret.ts'
import { startServers } from './servers.ts'
import { type Environment, type UpOptions, type UpSettings, readUpSettings, serverEnvironment } from './settings.ts'
import { openStores } from './stores.ts'
import { startWorkers } from './workers.ts'

/**
 * How long a start waits for the lock: longer than another stack needs to stop, which drains the servers and then stops the
 * stores.
 */
const OTHER_COMMAND_TIMEOUT_MS = 30_000

const note = (line: string) => process.stdout.write(`  ${line}\n`)

/** Runs until a signal, then exits: status 0 after a stop, 1 when it could not start. */
export async function runUp(options: UpOptions = {}): Promise<void> {
  // The terminal may close before this process ends.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.exit(await up(process.env, options))
}

async function up(env: Environment, options: UpOptions): Promise<number> {
  const lifecycle = openLifecycle(
    () => process.stdout.write('\n  stopping (Ctrl-C again to force)\n'),
    () => process.exit(130),
  )
  try {
    await start(lifecycle, readUpSettings(env, options), env)
    await lifecycle.stopRequested
  } catch (error) {
    if (error instanceof StopRequested) return 0
    process.stderr.write(`\n${explainFailure(error)}\n`)
    return 1
  } finally {
    await lifecycle.closeAll()
  }
  return 0
}

async function start(lifecycle: Lifecycle, settings: UpSettings, env: Environment): Promise<void> {
  await lifecycle.open(lockOrExplain(settings), (lock) => lock.release())
  const port = await choosePort(settings)
  const stores = await openStores(lifecycle, settings, note)
  const baseUrl = settings.port === 0 ? settings.baseUrl.replace(/:0$/, `:${port}`) : settings.baseUrl
  const sql = await lifecycle.open(
    primaryUrl(settings.databaseDirectUrl ?? stores.databaseUrl).then((url) =>
      connect(url, 4, { applicationName: 'hearth-up' }),
    ),
    (pool) => pool.end({ timeout: 1 }),
  )
  const isDemo = await lifecycle.interruptible(prepareDatabase({ sql, settings, note }))
  const serverEnv = {
    ...serverEnvironment(env, { ...stores, secret: env['HEARTH_SECRET'] || ensureSecret(settings.folder) }),
    PORT: String(port),
    BASE_URL: baseUrl,
  }
  const logFile = join(settings.folder, 'dev', 'server.log')
  const servers = await lifecycle.open(
    Promise.resolve(
      startServers({
        count: settings.httpProcesses,
        drainDelayMs: settings.drainDelayMs,
        env: serverEnv,
        logFile,
        note,
      }),
    ),
    (running) => running.stop(),
  )
  const localUrl = `http://${settings.host === '0.0.0.0' ? '127.0.0.1' : settings.host}:${port}`
  await lifecycle.interruptible(servers.ready(`${localUrl}/readyz`))
  await lifecycle.open(
    startWorkers({ env: serverEnv, logFile: join(settings.folder, 'dev', 'workers.log'), note }),
    (workers) => workers.stop(),
  )
  const place = { env: serverEnv, folder: settings.folder, baseUrl }
  const demo = isDemo ? await lifecycle.interruptible(prepareDemo(place)) : undefined
  if (!demo) writeAddresses(place)
  writeLocalStack({ pid: process.pid, baseUrl, ...stores }, settings.folder)
  await lifecycle.open(Promise.resolve(), () => removeLocalStack(settings.folder))
  const files = { logFile: shortest(logFile), demoFile: shortest(demoFileIn(settings.folder)) }
  process.stdout.write(
    await lifecycle.interruptible(
      demo
        ? renderPanel({ demo, baseUrl, localUrl, ...files, hasMailServer: settings.hasMailServer })
        : Promise.resolve(renderEmptyPanel({ baseUrl, ...files })),
    ),
  )
}

/** The path relative to the current folder when it is inside, else the absolute path. */
function shortest(path: string): string {
  const relativePath = relative(process.cwd(), path)
  return relativePath.startsWith('..') ? path : relativePath
}

/** Locks the folder. Waits for another command that starts or stops; throws when a stack already runs. */
async function lockOrExplain({ folder }: UpSettings): Promise<FolderLock> {
  const dir = join(folder, 'dev')
  let lock = lockFolder(dir)
  if (!lock && !readLocalStack(folder)) note('waiting for another start or stop of Hearth in this folder')
  await waitUntil(() => {
    lock ??= lockFolder(dir)
    return lock !== undefined || readLocalStack(folder) !== undefined
  }, OTHER_COMMAND_TIMEOUT_MS)
  if (lock) return lock
  const running = readLocalStack(folder)
  throw new LocalSetupError(
    running
      ? `Hearth is already running in this folder, at ${running.baseUrl} (process ${running.pid}).`
      : 'Another command is already starting Hearth in this folder.',
  )
}

/** Checks the port before anything starts, so that the user sees a clear message. */
async function choosePort({ host, port }: UpSettings): Promise<number> {
  if (port === 0) return findFreePort()
  if (await isPortTaken(port, host))
    throw new LocalSetupError(`Another program uses port ${port}. Try another one:  PORT=${port + 1} npm start`)
  const code = await bindError(port, host)
  if (code === 'EACCES')
    throw new LocalSetupError(`This user is not allowed to listen on port ${port}. Try:  PORT=3000 npm start`)
  if (code) throw new LocalSetupError(`Cannot listen on ${host} port ${port} (HOST, PORT): ${code}.`)
  return port
}
