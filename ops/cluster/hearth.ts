// Hearth on the machines of the cluster: one server and one set of workers each.
import { join } from 'node:path'

import { LocalSetupError } from '../../src/local/setup-error.ts'
import type { ActorName } from '../../workers/runtime/actor-names.ts'
import type { Machine } from './machine.ts'
import { type Service, startService } from './service.ts'

const ROOT = join(import.meta.dir, '../..')
const CLI = join(ROOT, 'src/cli.ts')

/** What all processes of Hearth have in common. */
export function hearthEnvironment(machines: readonly Machine[], password: string): Record<string, string> {
  const every = (port: number) => machines.map(({ address }) => `${address}:${port}`).join(',')
  return {
    DATABASE_URL: `postgres://hearth:${password}@${every(6432)}/hearth`,
    DATABASE_DIRECT_URL: `postgres://hearth:${password}@${every(5432)}/hearth`,
    DATABASE_READ_URL: machines.map(({ address }) => `postgres://hearth:${password}@${address}:5432/hearth`).join(','),
    REDIS_URL: `redis+sentinel://:${password}@${every(26379)}/hearth/0`,
    HEARTH_SECRET: `${password} for all servers of the cluster`,
    TRUSTED_PROXIES: machines.map(({ address }) => address).join(','),
    WEBHOOK_ALLOW_PRIVATE: '1',
    DRAIN_DELAY_MS: '1500',
  }
}

/** Starts the server or the workers of one machine: those of all actors, unless some are named. Its own pooler comes first in the list of hosts. */
export function startHearth(
  name: 'server' | 'workers',
  machine: Machine,
  { env, actors }: { env: Record<string, string>; actors: readonly ActorName[] },
): Service {
  const own = {
    ...env,
    DATABASE_URL: withHostFirst(env['DATABASE_URL'] ?? '', machine.address),
    BASE_URL: `http://${machine.address}:8080`,
    HOST: machine.address,
    PORT: '3000',
    OPS_HOST: machine.address,
    OPS_PORT: '9464',
    WORKER_OPS_PORT: '9474',
  }
  return startService({
    name: `${name} of ${machine.name}`,
    command: machine.command([process.execPath, CLI, ...(name === 'server' ? ['serve'] : ['work', ...actors])]),
    env: own,
    logFile: join(machine.folder, `${name}.log`),
  })
}

/** Runs one `hearth` command to its end. Throws with what it printed when it fails. */
export async function runHearth(machine: Machine, env: Record<string, string>, ...words: string[]): Promise<string> {
  const child = Bun.spawn(machine.command([process.execPath, CLI, ...words]), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new LocalSetupError(`hearth ${words.join(' ')} failed: ${errors || output}`)
  return output
}

/** Moves the host to the front of the URL's list. */
function withHostFirst(url: string, address: string): string {
  const [, start = '', hosts = '', rest = ''] = /^(.*@)([^/]+)(\/.*)$/.exec(url) ?? []
  const isOwn = (host: string) => host.startsWith(`${address}:`)
  const all = hosts.split(',')
  return `${start}${[...all.filter(isOwn), ...all.filter((host) => !isOwn(host))].join(',')}${rest}`
}
