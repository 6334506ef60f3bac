// The peers: installed from their own lock file by the first run, and run on Node.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Sql } from '../../src/platform/postgres/database.ts'
import { ROOT } from './stores.ts'

const PEERS = join(ROOT, 'bench/peers')

/** Builds a peer such as `fastify-drizzle/server.ts` and returns the command that runs it on Node. */
export async function peerCommand(path: string, log: (line: string) => void): Promise<string[]> {
  await installPeers(log)
  const outdir = join(PEERS, '.built')
  const built = await Bun.build({
    entrypoints: [join(PEERS, path)],
    root: PEERS,
    outdir,
    target: 'node',
    packages: 'external',
    naming: '[dir]/[name].mjs',
  })
  if (!built.success) throw new AggregateError(built.logs, `${path} could not be built.`)
  return ['node', join(outdir, path.replace(/\.ts$/, '.mjs'))]
}

let installed: Promise<void> | undefined

/** Installs the peers' dependencies once. */
export function installPeers(log: (line: string) => void): Promise<void> {
  installed ??= install(log)
  return installed
}

async function install(log: (line: string) => void): Promise<void> {
  if (existsSync(join(PEERS, 'node_modules/fastify')) && existsSync(PRISMA_CLIENT)) return
  log('installing the peers of bench/peers')
  const child = Bun.spawn([process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts'], {
    cwd: PEERS,
    stderr: 'pipe',
    stdout: 'ignore',
  })
  const [code, stderr] = await Promise.all([child.exited, child.stderr.text()])
  if (code !== 0) throw new Error(`The peers could not be installed: ${stderr}`)
  await generatePrismaClient()
}

const PRISMA_CLIENT = join(PEERS, 'express-prisma/generated/client.ts')

/** Prisma's CLI requires a schema engine, which only migrations use, so any program can stand in for it. */
async function generatePrismaClient(): Promise<void> {
  const child = Bun.spawn(['node', join(PEERS, 'node_modules/prisma/build/index.js'), 'generate'], {
    cwd: join(PEERS, 'express-prisma'),
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  if ((await child.exited) !== 0)
    throw new Error(`The Prisma client could not be generated: ${await child.stderr.text()}`)
}

/** Creates the peers' own tables unless they exist. */
export async function ensurePeerTables(sql: Sql, log: (line: string) => void): Promise<void> {
  const [row] = await sql`select to_regclass('peer.professional_services') is not null as exists`
  if (row?.['exists']) return
  log('creating the tables of the peers')
  await sql`drop schema if exists peer cascade`
  // One statement at a time, because VACUUM cannot run in a transaction.
  for (const statement of readFileSync(join(PEERS, 'tables.sql'), 'utf8').replace(/--.*$/gm, '').split(';'))
    if (statement.trim()) await sql.unsafe(statement)
}
