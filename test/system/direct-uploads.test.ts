// Servers and workers are killed while files go into a bucket: none is lost, doubled or left.
import { expect, test } from 'bun:test'

import type { StartedUpload } from '../../src/features/files/files/schemas.ts'
import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { errorCode } from '../../src/platform/store-error.ts'
import { openTestApp } from '../support/app.ts'
import { openFakeS3 } from '../support/fake-s3.ts'
import { opened } from '../support/fixture.ts'
import { startServer } from '../support/server.ts'
import { somePicture } from '../support/uploads.ts'
import { startWorker } from '../support/workers.ts'

const ACTOR = new URL('../../workers/actors/decode-files.ts', import.meta.url).pathname
const FILES = 40
/** A request may meet each of the kills, and each start takes seconds on a busy machine. */
const ANSWER_MS = 200_000
/** The requests to the bucket while which the server is killed: senders store content, and the server looks for it. */
const KILLS = new Set(['PUT 5', 'PUT 20', 'HEAD 3', 'HEAD 15', 'HEAD 30'])

const s3 = await opened(openFakeS3())
const app = await opened(openTestApp('migrated'))
const { sql, databaseUrl } = app
const key = await app.key(['reviews:write'], 'phones@test.example')

const start = { databaseUrl, env: s3.env, port: await findFreePort() }
let server = await startServer(start)
let restarted = Promise.resolve()
await opened(
  {
    stop: async () => {
      await restarted
      await server.stop()
    },
  },
  'stop',
)

/** Kills the server, once an earlier kill is over. */
async function restart(earlier: Promise<void>): Promise<void> {
  await earlier
  server.signal('SIGKILL')
  await server.exited
  server = await startServer(start)
}

let kills = 0
const counts = new Map<string, number>()
s3.intercept = ({ method }) => {
  const count = (counts.get(method) ?? 0) + 1
  counts.set(method, count)
  if (!KILLS.has(`${method} ${count}`)) return undefined
  kills++
  restarted = restart(restarted)
  return undefined
}

/** Repeats a request under its key until a server has answered it. */
async function post<T>(path: string, idempotencyKey: string, body?: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${key}`,
    'idempotency-key': idempotencyKey,
    'content-type': 'application/json',
  }
  let answer: T | undefined
  await waitUntil(
    async () => {
      try {
        const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body ?? {}) })
        const text = await response.text()
        if (response.status >= 500) return false
        expect([response.ok, text]).toEqual([true, text])
        answer = JSON.parse(text) as T
        return true
      } catch (error) {
        if (errorCode(error) === undefined) throw error
        return false
      }
    },
    ANSWER_MS,
    20,
  )
  if (!answer) throw new Error(`No server has answered ${path}.`)
  return answer
}

async function upload(number: number): Promise<string> {
  const bytes = await somePicture()
  const { id, upload } = await post<StartedUpload>('/api/v1/files', `begin-${number}`, {
    purpose: 'review',
    size: bytes.byteLength,
  })
  const { url, method, headers } = upload
  expect((await fetch(url, { method, headers, body: bytes })).status).toBe(200)
  await post(`/api/v1/files/${id}/complete`, `complete-${number}`)
  return id
}

const readyFiles = async () => {
  const [row] = await sql<{ files: number }[]>`select count(*)::int as files from files where status = 'ready'`
  return row?.files ?? 0
}

test('servers and workers that are killed lose and double no file that goes to a bucket, and leave nothing', async () => {
  const ids = await Promise.all(Array.from({ length: FILES }, (_, number) => upload(number)))
  expect([kills, new Set(ids).size]).toEqual([KILLS.size, FILES])
  s3.intercept = () => undefined
  for (let kill = 1; kill <= 3; kill++) {
    const worker = startWorker(ACTOR, start)
    expect(await waitUntil(async () => (await readyFiles()) >= 10 * kill, 60_000, 5)).toBe(true)
    await worker.kill()
    // The claims of the dead end after five minutes, behind what waits already, and addresses take content for twenty.
    await sql`
      update files set open_until = now(), next_claim_at = least(next_claim_at, now()) where next_claim_at is not null`
  }
  const worker = startWorker(ACTOR, start)
  const isDone = async () => (await sql`select from files where next_claim_at <= now()`).length === 0
  expect(await waitUntil(isDone, 60_000)).toBe(true)
  // The worker has claimed the last file, and decodes it before it ends.
  expect(await worker.stop()).toBe(0)
  const rows = await sql`select status, refusal, count(*)::int as files from files group by 1, 2`
  expect(rows as unknown).toEqual([{ status: 'ready', refusal: null, files: FILES }])
  const kinds = Map.groupBy(s3.objects.keys(), (name) => name.split('/')[0])
  expect([kinds.get('received')?.length, kinds.get('ready')?.length]).toEqual([undefined, 6 * FILES])
  expect(s3.refused).toEqual([])
}, 300_000)
