// Compression: what a client accepts, and that only responses without secrets are compressed.
import { afterAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

import { CSRF_FIELD } from '../../src/http/form.ts'
import { CODINGS, type Coding, codingFor } from '../../src/http/content-coding.ts'
import { type Caching, cachingOf } from '../../src/http/headers.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { findBookableSlot, instrumentedApp, openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { publicPaths } from '../support/public-paths.ts'

const app = await opened(openTestApp())
const { deps } = app
const slot = await findBookableSlot(app)
const paths = await publicPaths(deps, slot)
const serve = (compressSearch: boolean) => {
  const { fetch } = instrumentedApp({ ...deps, config: { ...deps.config, compressSearch } })
  return Bun.serve({ port: 0, fetch: (request) => fetch(request) })
}
/** One whose searches are compressed, and one with the default. */
const servers: Record<'compressing' | 'usual', Bun.Server<undefined>> = {
  compressing: serve(true),
  usual: serve(false),
}

afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop(true))))

/** Sends a request and returns the bytes as they were sent. */
async function get(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', server = servers.compressing } = {},
) {
  const response = await fetch(new URL(path, server.url), { method, headers, decompress: false, redirect: 'manual' })
  return { status: response.status, headers: response.headers, bytes: await response.bytes() }
}

/** Serves pictures, which are compressed already; `test/features/files/files/serving.test.ts` asks for them. */
const PICTURES = '/files/:file'
/** A path of each other route with one of these kinds of caching. */
const routes = (...kinds: Caching[]) =>
  app.app.routes
    .filter((route) => route.method === 'GET' && route.path !== PICTURES && kinds.includes(cachingOf(route)))
    .map(({ path }) => paths[path] ?? path)

const DECOMPRESS: Record<Coding, (bytes: Uint8Array) => Uint8Array> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

/** Shorter ones are sent as they are. */
const COMPRESSED_FROM = 1000

describe.each(CODINGS)('with %s', (coding) => {
  const accept = { 'accept-encoding': coding }

  test('every public response and asset is the same after decompression, with its own ETag', async () => {
    let compressed = 0
    for (const path of routes('public', 'asset')) {
      const plain = await get(path)
      expect([path, plain.status, plain.headers.get('content-encoding')]).toEqual([path, 200, null])
      const { headers, bytes } = await get(path, accept)
      for (const { headers: sent } of [plain, { headers }])
        expect([path, sent.get('vary')]).toEqual([path, expect.stringContaining('accept-encoding') as string])
      const isCompressed = ['image/jpeg', 'image/png', 'font/woff2'].includes(headers.get('content-type') ?? '')
      if (plain.bytes.length < COMPRESSED_FROM || isCompressed) {
        expect([path, headers.get('content-encoding')]).toEqual([path, null])
        continue
      }
      compressed++
      expect([path, headers.get('content-encoding')]).toEqual([path, coding])
      expect(headers.get('content-length')).toBe(String(bytes.length))
      expect(bytes.length).toBeLessThan(plain.bytes.length)
      expect(Buffer.compare(DECOMPRESS[coding](bytes), plain.bytes)).toBe(0)
      expect(headers.get('etag')).not.toBe(plain.headers.get('etag'))
      expect(headers.get('content-type')).toBe(plain.headers.get('content-type'))
    }
    expect(compressed).toBeGreaterThan(20)
  })

  test('a request with the ETag of this form gets 304, with that of another form the body', async () => {
    for (const path of routes('public', 'asset')) {
      const plain = await get(path)
      const { headers, bytes } = await get(path, accept)
      const etag = headers.get('etag') ?? ''
      const unchanged = await get(path, { ...accept, 'if-none-match': etag })
      expect([path, unchanged.status, unchanged.bytes.length]).toEqual([path, 304, 0])
      for (const name of ['etag', 'vary', 'cache-control', 'content-security-policy'])
        expect([path, name, unchanged.headers.get(name)]).toEqual([path, name, headers.get(name)])
      expect(unchanged.headers.has('content-encoding')).toBeFalse()
      if (!headers.has('content-encoding')) continue
      const other = await get(path, { ...accept, 'if-none-match': plain.headers.get('etag') ?? '' })
      expect([path, other.status, other.bytes.length]).toEqual([path, 200, bytes.length])
      expect((await get(path, { 'if-none-match': etag })).status).toBe(200)
    }
  })

  test('HEAD has the headers of GET', async () => {
    for (const path of routes('public', 'asset')) {
      const [head, full] = [await get(path, accept, { method: 'HEAD' }), await get(path, accept)]
      expect([path, head.status, head.bytes.length]).toEqual([path, 200, 0])
      for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary', 'cache-control'])
        expect([path, name, head.headers.get(name)]).toEqual([path, name, full.headers.get(name)])
    }
  })

  test('no personal response is compressed, unless the browser says that no other site caused the request', async () => {
    const filled = (path: string) => path.replaceAll(/:\w+/g, slot.slug)
    const answersTo = (headers: Record<string, string>) =>
      Promise.all(
        routes('personal').map(async (path) => ({ path, ...(await get(filled(path), { ...accept, ...headers })) })),
      )
    for (const site of ['', 'same-site', 'cross-site']) {
      const answers = await answersTo({ 'sec-fetch-site': site })
      expect(answers.filter(({ headers }) => headers.has('content-encoding')).map(({ path }) => path)).toEqual([])
      const shown = answers.filter(({ status, bytes }) => status === 200 && bytes.length >= COMPRESSED_FROM)
      expect(shown.map(({ path }) => path)).toContain('/pros/:id/book')
    }
    for (const site of ['same-origin', 'none']) {
      const compressed = (await answersTo({ 'sec-fetch-site': site })).filter(({ headers }) =>
        headers.has('content-encoding'),
      )
      const paths = compressed.map(({ path }) => path)
      for (const path of ['/pros/:id/book', '/pros/:id/quote', '/bookings', '/my/sign-in', '/pay/:clientSecret'])
        expect(paths).toContain(path)
      for (const { path, headers, bytes } of compressed) {
        const text = new TextDecoder().decode(DECOMPRESS[coding](bytes))
        expect([path, headers.get('vary'), text.startsWith('<!doctype html>')]).toEqual([
          path,
          expect.stringContaining('accept-encoding, sec-fetch-site') as string,
          true,
        ])
      }
    }
  })
})

test('no public response holds a form token or sets a cookie, so that its length tells no secret', async () => {
  for (const path of routes('public', 'asset')) {
    const { headers, bytes } = await get(path, { cookie: 'hearth-session=abc' })
    expect([path, headers.has('set-cookie')]).toEqual([path, false])
    if (headers.get('content-type')?.startsWith('text/html'))
      expect([path, new TextDecoder().decode(bytes).includes(`name="${CSRF_FIELD}"`)]).toEqual([path, false])
  }
})

test('searches are compressed with COMPRESS_SEARCH only', async () => {
  const path = '/api/v1/pros?limit=20'
  for (const coding of CODINGS) {
    const accept = { 'accept-encoding': coding }
    expect((await get(path, accept)).headers.get('content-encoding')).toBe(coding)
    const { headers } = await get(path, accept, { server: servers.usual })
    expect([headers.has('content-encoding'), headers.has('vary')]).toEqual([false, false])
  }
})

test('a catalog response is compressed anew when its content has changed', async () => {
  const accept = { 'accept-encoding': 'zstd' }
  const read = async () => new TextDecoder().decode(zstdDecompressSync((await get('/api/v1/services', accept)).bytes))
  expect(await read()).not.toContain('Chimney whispering')
  await app.sql`update services set name = 'Chimney whispering' where id = (select id from services order by id limit 1)`
  expect(await waitUntil(async () => (await read()).includes('Chimney whispering'), 5000)).toBeTrue()
})

describe('the coding that a client prefers', () => {
  const BROWSER = 'gzip, deflate, br, zstd'
  const CASES: [accepted: string | null, coding: Coding | undefined][] = [
    [null, undefined],
    ['', undefined],
    [BROWSER, 'zstd'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['zstd;q=0, br;q=0.001', 'br'],
    ['gzip;q=0', undefined],
    ['*', 'zstd'],
    ['*;q=0.5, zstd;q=0', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0', undefined],
    ['identity;q=0, *', 'zstd'],
    ['deflate, compress, snappy', undefined],
    ['gzip;q=many', undefined],
    [', ;;q=,', undefined],
    [`${'a,'.repeat(2000)}gzip`, 'gzip'],
  ]
  test.each(CASES)('%p gets %p', (accepted, coding) => {
    const headers = new Headers(accepted === null ? {} : { 'accept-encoding': accepted })
    const request = new Request('http://hearth.test/', { headers })
    // The second answer may come from memory.
    for (let n = 0; n < 2; n++) expect(codingFor(request, 5000)).toBe(coding)
  })

  test('leaves a body alone that fits into a packet', () => {
    const request = new Request('http://hearth.test/', { headers: { 'accept-encoding': BROWSER } })
    expect(codingFor(request, 999)).toBeUndefined()
  })
})
