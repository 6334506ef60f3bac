// Who sees a file: public ones everyone who has the address, for a year; private ones for minutes, as a download.
import { describe, expect, test } from 'bun:test'

import { createApp } from '../../../../src/app.ts'
import { usageOf } from '../../../../src/auth/keys/verbs/usage.ts'
import { readConfig } from '../../../../src/config.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import type { File } from '../../../../src/features/files/files/schemas.ts'
import { addressOfFile, nameOfAddress } from '../../../../src/features/files/files/verbs/addresses.ts'
import { openMetrics } from '../../../../src/platform/telemetry/metrics.ts'
import { openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { ready } from '../../../support/uploads.ts'

const MINUTE_MS = 60_000
const world = await opened(openBookingFixture())
const { app, clock } = world
/** Sets the clock to an instant in milliseconds. */
const setTime = (ms: number) => clock.set(new Date(ms).toISOString())
const { deps } = app
const pro = await world.pro()
/** With all headers. */
const served = createApp(deps, { metrics: openMetrics('test'), usage: usageOf(deps) })
const open = async (url: string, init: RequestInit = {}) => await served.handle(new Request(url, init))

const publicFile = await ready(app, { key: pro.key, purpose: 'pro_logo' })
const privateFile = await ready(app, { key: pro.key, purpose: 'job' })
const again = async ({ id }: File) => (await (await app.send(`/api/v1/files/${id}`, { key: pro.key })).json()) as File

describe('a public file', () => {
  test('is served to everyone, and kept by caches for a year', async () => {
    const answer = await open(publicFile.url)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(answer.headers.has('content-disposition')).toBe(false)
    expect(answer.headers.has('set-cookie')).toBe(false)
  })

  test('has an address that does not change', async () => {
    setTime(clock.now().getTime() + 60 * MINUTE_MS)
    expect((await again(publicFile)).url).toBe(publicFile.url)
  })

  test.each([
    (url: string) => url.replace('-large', '-huge'),
    (url: string) => url.replace('.webp', '.svg'),
    (url: string) => url.replace('-large.webp', ''),
    (url: string) => url.replace('-large.webp', '.pdf'),
    (url: string) => `${url}/..`,
    (url: string) => url.replace(/files\/./, 'files/%2e%2e%2f'),
    (url: string) => url.replace(/[\w-](?=.{10}-large)/, (it) => (it === 'Z' ? 'Y' : 'Z')),
  ])('is at no other address %#', async (change) => {
    const answer = await open(change(publicFile.url))
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })
})

describe('a private file', () => {
  test('is a download for its signed address, and kept by no cache', async () => {
    const answer = await open((await again(privateFile)).url)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': 'attachment',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    })
    expect(answer.headers.has('cross-origin-resource-policy')).toBe(false)
  })

  test('is at its address for ten to fifteen minutes', async () => {
    const { url } = await again(privateFile)
    const since = clock.now().getTime()
    setTime(since + 10 * MINUTE_MS - 1)
    expect((await open(url)).status).toBe(200)
    setTime(since + 15 * MINUTE_MS)
    expect((await open(url)).status).toBe(404)
    // Meanwhile its owner gets another one.
    expect((await open((await again(privateFile)).url)).status).toBe(200)
  })

  test('is served to no other signature', async () => {
    const { url, sizes } = await again(privateFile)
    const other = new URL(sizes[0]?.avif ?? '')
    const changes: ((address: URL) => void)[] = [
      ({ searchParams }) => searchParams.delete('signature'),
      ({ searchParams }) => searchParams.delete('expires'),
      ({ searchParams }) => searchParams.set('signature', ''),
      ({ searchParams }) => searchParams.set('signature', 'A'.repeat(43)),
      ({ searchParams }) => searchParams.set('expires', String(Number(searchParams.get('expires')) + 3600)),
      ({ searchParams }) => searchParams.set('expires', '999999999999'),
      ({ searchParams }) => searchParams.set('signature', other.searchParams.get('signature') ?? ''),
    ]
    for (const change of changes) {
      const address = new URL(url)
      change(address)
      expect([address.search, (await open(address.href)).status]).toEqual([address.search, 404])
    }
    const unsigned = url.slice(0, url.indexOf('?'))
    expect((await open(unsigned, { headers: { authorization: `Bearer ${pro.key}` } })).status).toBe(404)
  })
})

test('another account does not see a file by its id', async () => {
  const stranger = await world.pro()
  for (const { id } of [publicFile, privateFile])
    expect((await app.send(`/api/v1/files/${id}`, { key: stranger.key })).status).toBe(404)
})

describe('FILES_BASE_URL', () => {
  const elsewhere = ctxOf({
    ...deps,
    config: { ...deps.config, files: readConfig({ ...configEnv(), FILES_BASE_URL: 'https://cdn.example/' }).files },
  })

  test('is the host of the addresses', () => {
    const address = addressOfFile(elsewhere, { file: 'abc.pdf', isPrivate: false })
    expect(address).toBe('https://cdn.example/files/abc.pdf')
  })

  test('tells our addresses from others', () => {
    const name = 'n'.repeat(32)
    const ours = `https://cdn.example/files/${name}-large.webp`
    expect(nameOfAddress(elsewhere, { url: ours })).toBe(name)
    expect(nameOfAddress(elsewhere, { url: `${ours}?expires=1&signature=x` })).toBe(name)
    const others = [
      `https://cdn.example.evil.example/files/${name}-large.webp`,
      `https://cdn.example/files/${name}-large.svg`,
      `https://cdn.example/other/${name}-large.webp`,
      `${deps.config.baseUrl}/files/${name}-large.webp`,
    ]
    for (const url of others) expect(nameOfAddress(elsewhere, { url })).toBeUndefined()
  })
})

function configEnv() {
  return { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' }
}
