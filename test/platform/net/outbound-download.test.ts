// Documents that users name are read from the public Internet only, also after redirects, and only up to a size.
import { afterAll, expect, test } from 'bun:test'

import { type OutboundOptions, openOutbound } from '../../../src/platform/net/outbound-fetch.ts'

const servers: Bun.Server<undefined>[] = []
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop(true)))
})

function listen(hostname: string, answer: (request: Request) => Response) {
  const requests: { path: string; method: string; etag: string | null }[] = []
  const server = Bun.serve({
    hostname,
    port: 0,
    fetch: (request) => {
      const { pathname: path } = new URL(request.url)
      requests.push({ path, method: request.method, etag: request.headers.get('if-none-match') })
      return answer(request)
    },
  })
  servers.push(server)
  return {
    requests,
    url: `http://${hostname}:${server.port}/`,
    named: (name: string) => `http://${name}:${server.port}/`,
  }
}

/** 127.0.0.1 stands for the public Internet. */
const open = (options: Partial<OutboundOptions> = {}) =>
  openOutbound({
    timeoutMs: 3000,
    maxResponseBytes: 10_000,
    allowPrivate: false,
    httpsOnly: false,
    resolve: (host) => Promise.resolve([host.startsWith('inside') ? '127.0.0.2' : '127.0.0.1']),
    isPublic: (address) => address === '127.0.0.1',
    ...options,
  })

const redirectTo = (location: string, status = 302) => new Response('elsewhere', { status, headers: { location } })
const text = (body: Uint8Array) => new TextDecoder().decode(body)

test('a document is read with the headers of the request, compressed or not', async () => {
  const { named, requests } = listen('127.0.0.1', ({ url }) =>
    url.endsWith('/plain')
      ? new Response('a calendar', { headers: { etag: '"1"' } })
      : new Response(Bun.gzipSync('a calendar'), { headers: { 'content-encoding': 'gzip' } }),
  )
  for (const path of ['plain', 'gzip']) {
    const answer = await open().get(`${named('files.test.example')}${path}`, { 'if-none-match': '"0"' })
    expect(answer).toMatchObject({ kind: 'answered', status: 200 })
    expect(answer.kind === 'answered' && text(answer.body)).toBe('a calendar')
  }
  expect(requests.map(({ method, etag }) => [method, etag])).toEqual([
    ['GET', '"0"'],
    ['GET', '"0"'],
  ])
})

test('redirects are followed, relative ones too, and each target is checked', async () => {
  const inside = listen('127.0.0.2', () => new Response('secret'))
  const outside = listen('127.0.0.1', ({ url }) => {
    const { pathname } = new URL(url)
    if (pathname === '/file') return new Response('found')
    if (pathname === '/relative') return redirectTo('/file', 307)
    if (pathname === '/absolute') return redirectTo(outside.named('other.test.example') + 'relative', 301)
    if (pathname === '/inside') return redirectTo(inside.named('inside.test.example'))
    if (pathname === '/address') return redirectTo(inside.url)
    if (pathname === '/scheme') return redirectTo('file:///etc/passwd')
    return pathname === '/nowhere' ? redirectTo('http://') : redirectTo('/loop')
  })
  const get = (path: string, options?: Partial<OutboundOptions>) =>
    open(options).get(outside.named('files.test.example') + path, {})
  for (const path of ['file', 'relative', 'absolute']) {
    const answer = await get(path)
    expect([path, answer.kind === 'answered' && text(answer.body)]).toEqual([path, 'found'])
  }
  for (const path of ['inside', 'address', 'scheme', 'nowhere'])
    expect([path, (await get(path)).kind]).toEqual([path, 'refused'])
  expect(await get('loop')).toEqual({ kind: 'failed', reason: 'too_many_redirects' })
  expect(outside.requests.filter(({ path }) => path === '/loop')).toHaveLength(6)
  expect(inside.requests).toEqual([])
})

test('a document that is too large, also once it is decompressed, or in an unknown coding is not read', async () => {
  const coded = (coding: string, body: Uint8Array<ArrayBuffer>) =>
    new Response(body, { headers: { 'content-encoding': coding } })
  const answers = {
    exact: () => new Response('x'.repeat(10_000)),
    large: () => new Response('x'.repeat(10_001)),
    endless: () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue('x'.repeat(1000)) })),
    bomb: () => coded('gzip', Bun.gzipSync(new Uint8Array(5_000_000))),
    broken: () => coded('gzip', Bun.gzipSync('a calendar').subarray(0, 12)),
    unknown: () => coded('snappy', Buffer.from('a calendar')),
  }
  const { named } = listen('127.0.0.1', ({ url }) => answers[new URL(url).pathname.slice(1) as keyof typeof answers]())
  const reasons = await Promise.all(
    Object.keys(answers).map(async (path) => {
      const answer = await open().get(named('files.test.example') + path, {})
      return answer.kind === 'answered' ? answer.body.length : answer.reason
    }),
  )
  expect(reasons).toEqual([10_000, 'too_large', 'too_large', 'too_large', 'broken_coding', 'unknown_coding'])
})

test('the time limit counts for all redirects together', async () => {
  const { named } = listen('127.0.0.1', ({ url }) => {
    if (url.endsWith('/file')) return new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }))
    return redirectTo('/file')
  })
  const answer = await open({ timeoutMs: 300 }).get(named('files.test.example'), {})
  expect(answer).toEqual({ kind: 'failed', reason: 'timeout' })
})
