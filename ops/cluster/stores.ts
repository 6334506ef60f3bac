// The stores of the cluster: on every machine etcd, PostgreSQL under Patroni, HAProxy, PgBouncer, Redis and Sentinel.
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { PostgresBinaries } from '../../src/local/binaries.ts'
import { type Account, processesIn } from '../../src/local/processes.ts'
import type { Machine } from './machine.ts'
import { type Service, type Victim, startService, victimOf } from './service.ts'

export const STORES = ['etcd', 'patroni', 'haproxy', 'pgbouncer', 'redis', 'sentinel'] as const
export type StoreName = (typeof STORES)[number]

export interface StoreSettings {
  readonly machines: readonly Machine[]
  readonly postgres: PostgresBinaries
  /** The user that runs the stores; PostgreSQL refuses to run as root. */
  readonly account: Account | undefined
  /** The password of every store. */
  readonly password: string
}

/** Starts the stores of one machine. They find one another by themselves. */
export function startStores(machine: Machine, settings: StoreSettings): Record<StoreName, Service> {
  const { folder, name } = machine
  const { account, password, machines } = settings
  const write = (file: string, text: string) => writeOwned(join(folder, file), text, account)
  const config = (file: string) => write(file, render(file, machine, settings))
  const start = (store: StoreName, words: readonly string[]) =>
    startService({
      name: `${store} of ${name}`,
      command: machine.command(words, account),
      logFile: join(folder, `${store}.log`),
    })
  mkdirSync(join(folder, 'postgres'), { mode: 0o700 })
  if (account) for (const path of [folder, join(folder, 'postgres')]) chownSync(path, account.uid, account.gid)
  write('users.txt', `"hearth" "${password}"\n`)
  return {
    etcd: start('etcd', etcdCommand(machine, machines)),
    patroni: start('patroni', ['patroni', config('patroni.yml')]),
    haproxy: start('haproxy', ['haproxy', '-db', '-f', config('haproxy.cfg')]),
    pgbouncer: start('pgbouncer', ['pgbouncer', config('pgbouncer.ini')]),
    redis: start('redis', ['redis-server', config('redis.conf')]),
    sentinel: start('sentinel', ['redis-sentinel', config('sentinel.conf')]),
  }
}

function etcdCommand({ name, address, folder }: Machine, machines: readonly Machine[]): string[] {
  const [peer, client] = [`http://${address}:2380`, `http://${address}:2379`]
  const options = {
    name,
    'data-dir': join(folder, 'etcd'),
    'enable-v2': 'true',
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'initial-cluster': machines.map((one) => `${one.name}=http://${one.address}:2380`).join(','),
    'initial-cluster-token': 'hearth',
    'initial-cluster-state': 'new',
    'log-level': 'warn',
  }
  return ['etcd', ...Object.entries(options).map(([option, value]) => `--${option}=${value}`)]
}

/** A file of `config/` with its braces filled in. `{{every PORT}}` lists that port of all machines, `{{server PORT}}` as HAProxy's servers. */
function render(file: string, machine: Machine, { machines, postgres, password }: StoreSettings): string {
  const [first = machine] = machines
  const values: Record<string, string> = {
    name: machine.name,
    address: machine.address,
    folder: machine.folder,
    postgres: postgres.folder,
    password,
    first: first.address,
    replicaof: machine === first ? '' : `replicaof ${first.address} 6379`,
  }
  return readFileSync(join(import.meta.dir, 'config', file), 'utf8').replace(
    /\{\{(\w+)(?: (\d+))?\}\}/g,
    (_, word: string, port?: string) => {
      if (word === 'every') return machines.map(({ address }) => `${address}:${port}`).join(', ')
      if (word === 'server')
        return machines.map(({ name, address }) => `server ${name} ${address}:${port}`).join('\n  ')
      const value = values[word]
      if (value === undefined) throw new Error(`${file} names {{${word}}}, which has no value.`)
      return value
    },
  )
}

/** The PostgreSQL of a machine, which Patroni starts. */
export const postgresOf = ({ folder }: Machine): Victim => victimOf(() => processesIn(join(folder, 'postgres')))

function writeOwned(path: string, text: string, account: Account | undefined): string {
  writeFileSync(path, text, { mode: 0o600 })
  if (account) chownSync(path, account.uid, account.gid)
  return path
}
