// The peers: installed by the first run from a lock file of their own, and run by Node, for which they are made.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Sql } from '../../src/platform/postgres/database.ts'
import { ROOT } from './stores.ts'

const PEERS = join(ROOT, 'bench/peers')

/** Makes the command that runs a peer: `fastify-drizzle/server.ts`, for Node. */
export async function peerCommand(path: string, note: (line: string) => void): Promise<string[]> {
  await installPeers(note)
  const outdir = join(PEERS, '.built')
  const built = await Bun.build({
    entrypoints: [join(PEERS, path)],
    root: PEERS,
    outdir,
    target: 'node',
    packages: 'external',
    naming: '[dir]/[name].mjs',
  })
  if (!built.success) throw new AggregateError(built.logs, `${path} could not be built`)
  return ['node', join(outdir, path.replace(/\.ts$/, '.mjs'))]
}

let installed: Promise<void> | undefined

/** Installs what the peers need, once. */
export function installPeers(note: (line: string) => void): Promise<void> {
  installed ??= install(note)
  return installed
}

async function install(note: (line: string) => void): Promise<void> {
  if (existsSync(join(PEERS, 'node_modules/fastify')) && existsSync(PRISMA_CLIENT)) return
  note('installing the peers (bench/peers), once')
  const child = Bun.spawn([process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts'], {
    cwd: PEERS,
    stderr: 'pipe',
    stdout: 'ignore',
  })
  const [code, complained] = await Promise.all([child.exited, child.stderr.text()])
  if (code !== 0) throw new Error(`The peers could not be installed: ${complained}`)
  await generatePrismaClient()
}

const PRISMA_CLIENT = join(PEERS, 'express-prisma/generated/client.ts')

/** Prisma's command wants its schema engine at hand, which only migrations use: any program will do. */
async function generatePrismaClient(): Promise<void> {
  const child = Bun.spawn(['node', join(PEERS, 'node_modules/prisma/build/index.js'), 'generate'], {
    cwd: join(PEERS, 'express-prisma'),
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  if ((await child.exited) !== 0) throw new Error(`Prisma made no client: ${await child.stderr.text()}`)
}

/** Makes the peers' own tables, unless they are there. */
export async function ensurePeerTables(sql: Sql, note: (line: string) => void): Promise<void> {
  const [found] = await sql`select to_regclass('peer.professional_services') is not null as made`
  if (found?.['made']) return
  note('making the peers’ tables')
  await sql`drop schema if exists peer cascade`
  // Statement by statement: VACUUM runs in no transaction.
  for (const statement of readFileSync(join(PEERS, 'tables.sql'), 'utf8').replace(/--.*$/gm, '').split(';'))
    if (statement.trim()) await sql.unsafe(statement)
}
