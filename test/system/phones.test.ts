// Fifty phones send photos at once: the server answers others meanwhile, and holds less of the photos than they have in all.
import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'

import { openTestApp } from '../support/app.ts'
import { leastOfThree } from '../support/bystander.ts'
import { opened } from '../support/fixture.ts'
import { pixels } from '../support/hostile-files.ts'
import { startServer } from '../support/server.ts'
import { filesFolderOf } from '../support/stores.ts'

const PHONES = 50
/** As photos of phones have, at least. */
const PHOTO_BYTES = 3_500_000
const CHUNK_BYTES = 128 * 1024
/** 1.3 MB/s each, about what a phone sends by 4G. */
const CHUNK_EVERY_MS = 100
const P99_LIMIT_MS = 400
const MIB = 1024 ** 2

const app = await opened(openTestApp('migrated'))
const keys = await Promise.all([1, 2].map((n) => app.key(['reviews:write'], `phones${n}@test.example`)))
const server = await opened(
  startServer({ databaseUrl: app.databaseUrl, env: { TRUSTED_PROXIES: '127.0.0.1' } }),
  'stop',
)
const folder = filesFolderOf(app.databaseUrl)
await opened({ remove: () => rmSync(folder, { recursive: true, force: true }) }, 'remove')

const photo = await pixels(2400, 1800).jpeg({ quality: 97 }).toBuffer()

/** Sends the photo as a phone does: its length is known, and its bytes come little by little. Returns the status. */
async function send(phone: number): Promise<number> {
  const edge = '----phone'
  const head = Buffer.from(
    `--${edge}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nreview\r\n--${edge}\r\nContent-Disposition: form-data; name="file"; filename="IMG_0001.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
  )
  const body = Buffer.concat([head, photo, Buffer.from(`\r\n--${edge}--\r\n`)])
  const sent = request(`${server.url}/api/v1/files`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${keys[phone % keys.length]}`,
      'content-type': `multipart/form-data; boundary=${edge}`,
      'content-length': body.byteLength,
      'x-forwarded-for': `198.51.${phone}.7`,
    },
  })
  const answered = once(sent, 'response')
  for (let at = 0; at < body.byteLength; at += CHUNK_BYTES) {
    sent.write(body.subarray(at, at + CHUNK_BYTES))
    await Bun.sleep(CHUNK_EVERY_MS)
  }
  sent.end()
  const [response] = (await answered) as [{ statusCode: number; resume(): void }]
  response.resume()
  return response.statusCode
}

const memory = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

/** Asks one request after the other until `isOver`. Returns the p99 in ms, and the most memory seen, in MiB. */
async function observe(isOver: () => boolean) {
  const times: number[] = []
  let mostMemory = 0
  while (!isOver()) {
    const startedMs = performance.now()
    const answer = await fetch(`${server.url}/api/v1/cities?limit=1`)
    await answer.bytes()
    expect(answer.status).toBe(200)
    times.push(performance.now() - startedMs)
    mostMemory = Math.max(mostMemory, memory())
    await Bun.sleep(10)
  }
  times.sort((a, b) => a - b)
  return { answers: times.length, p99: times[Math.floor(times.length * 0.99)] ?? Infinity, mostMemory }
}

test('50 phones that send photos at once keep no one waiting', async () => {
  expect(photo.byteLength).toBeGreaterThan(PHOTO_BYTES)
  const sentMiB = (PHONES * photo.byteLength) / MIB
  const busyP99 = async () => {
    const calmUntil = performance.now() + 3000
    const calm = await observe(() => performance.now() > calmUntil)
    let isOver = false
    const observing = observe(() => isOver)
    const statuses = await Promise.all(Array.from({ length: PHONES }, (_, phone) => send(phone)))
    isOver = true
    const busy = await observing
    const grownMiB = busy.mostMemory - calm.mostMemory
    process.stdout.write(
      `${sentMiB.toFixed(0)} MiB of photos: p99 ${calm.p99.toFixed(0)} → ${busy.p99.toFixed(0)} ms (${busy.answers} answers), memory +${grownMiB.toFixed(0)} MiB\n`,
    )
    expect(statuses).toEqual(statuses.map(() => 202))
    expect(busy.answers).toBeGreaterThan(50)
    expect(grownMiB).toBeLessThan(sentMiB * 0.9)
    return busy.p99
  }
  expect(await leastOfThree(P99_LIMIT_MS, busyP99)).toBeLessThan(P99_LIMIT_MS)
}, 120_000)
