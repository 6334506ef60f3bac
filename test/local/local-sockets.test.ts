// The private stores listen on Unix sockets, and on TCP for clients that need it.
import { expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Redis } from 'ioredis'

import { openPostgres } from '../../src/local/postgres.ts'
import { openRedis } from '../../src/local/redis.ts'
import { testSql, withoutSocket } from '../support/database.ts'

/** PostgreSQL knows a client address only for TCP connections. */
async function addressInPostgres(url: string): Promise<string | null | undefined> {
  const sql = testSql(url, 1)
  try {
    const [row] = await sql<{ address: string | null }[]>`select host(inet_client_addr()) as address`
    return row?.address
  } finally {
    await sql.end()
  }
}

async function addressInRedis(url: string): Promise<string | undefined> {
  const redis = new Redis(url)
  try {
    return /\baddr=(\S+):\d+ /.exec(await redis.client('INFO'))?.[1]
  } finally {
    redis.disconnect()
  }
}

async function inFolder(use: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-sockets-'))
  // As root, the stores run as other users.
  chmodSync(dir, 0o755)
  try {
    await use(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const note = () => undefined

test('PostgreSQL is reached by its socket, or by TCP', () =>
  inFolder(async (dir) => {
    const database = await openPostgres({ dir, profile: 'test', note })
    try {
      expect(await addressInPostgres(database.url)).toBeNull()
      expect(await addressInPostgres(withoutSocket(database.url))).toBe('127.0.0.1')
    } finally {
      await database.stop()
    }
  }))

test('Redis is reached by its socket, or by TCP', () =>
  inFolder(async (dir) => {
    const redis = await openRedis({ dir, note })
    try {
      expect(await addressInRedis(redis.url)).toEndWith('/redis.sock')
      expect(await addressInRedis(withoutSocket(redis.url))).toBe('127.0.0.1')
    } finally {
      await redis.stop()
    }
  }))

test('a folder whose path is too long for a socket falls back to TCP', () =>
  inFolder(async (dir) => {
    const deep = join(dir, 'a-folder-with-a-name-that-goes-on-and-on'.repeat(3))
    const [database, redis] = [
      await openPostgres({ dir: deep, profile: 'test', note }),
      await openRedis({ dir: deep, note }),
    ]
    try {
      expect(await addressInPostgres(database.url)).toBe('127.0.0.1')
      expect(await addressInRedis(redis.url)).toBe('127.0.0.1')
    } finally {
      await Promise.all([database.stop(), redis.stop()])
    }
  }))
