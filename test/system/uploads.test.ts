// Workers are killed while they decode: every file that was answered 202 becomes ready, and nothing is left beside.
import { expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { PATIENT, startServer } from '../support/server.ts'
import { filesFolderOf } from '../support/stores.ts'
import { formOf, somePicture } from '../support/uploads.ts'
import { startWorker } from '../support/workers.ts'

const ACTOR = new URL('../../workers/actors/decode-files.ts', import.meta.url).pathname
const FILES = 50

const app = await opened(openTestApp('migrated'))
const { sql, databaseUrl } = app
const key = await app.key(['reviews:write'], 'phones@test.example')
const server = await opened(startServer({ databaseUrl, env: PATIENT }), 'stop')
const folder = filesFolderOf(databaseUrl)
await opened({ remove: () => rmSync(folder, { recursive: true, force: true }) }, 'remove')

async function upload(): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: formOf({ purpose: 'review', bytes: await somePicture() }),
  })
  expect(answer.status).toBe(202)
  return ((await answer.json()) as { id: string }).id
}

const readyFiles = async () => {
  const [row] = await sql<{ files: number }[]>`select count(*)::int as files from files where status = 'ready'`
  return row?.files ?? 0
}

test('workers that are killed lose no file that was answered 202, and leave nothing', async () => {
  const ids = await Promise.all(Array.from({ length: FILES }, upload))
  for (let kill = 1; kill <= 4; kill++) {
    const worker = startWorker(ACTOR, { databaseUrl })
    expect(await waitUntil(async () => (await readyFiles()) >= 10 * kill, 60_000, 5)).toBe(true)
    await worker.kill()
    // The claims of the dead end after five minutes.
    await sql`update files set next_claim_at = now() where next_claim_at is not null`
  }
  const worker = startWorker(ACTOR, { databaseUrl })
  const isDone = async () => (await sql`select from files where next_claim_at is not null`).length === 0
  expect(await waitUntil(isDone, 60_000)).toBe(true)
  expect(await worker.stop()).toBe(0)
  const [row] = await sql`select count(*)::int as files from files where id = any(${ids}::uuid[]) and status = 'ready'`
  expect(row).toEqual({ files: FILES })
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(stored.filter(({ parentPath }) => !parentPath.includes('/writing')).length).toBe(6 * FILES)
}, 300_000)
