// Webhooks reach only the public Internet: each address is checked, and the connection goes to the checked address.
import { dns } from 'bun'
import { afterAll, describe, expect, spyOn, test } from 'bun:test'

import { isPublicAddress, targetUrlFault } from '../../../src/platform/net/addresses.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { type Outbound, type OutboundOptions, openOutbound } from '../../../src/platform/net/outbound-fetch.ts'
import { CERTIFICATE, KEY } from '../../support/certificate.ts'

const limits = { timeoutMs: 3000, maxResponseBytes: 4096, allowPrivate: false, httpsOnly: true }
const open = (options: Partial<OutboundOptions> = {}): Outbound =>
  openOutbound({ ...limits, resolve: () => Promise.reject(new Error('This test resolves no names.')), ...options })
const send = (outbound: Outbound, url: string) => outbound.post(url, { 'content-type': 'application/json' }, '{}')

/** Hosts in private networks, or names that lead to them. */
const HOSTS = [
  // IPv4 in every notation that URLs allow: dotted, decimal, octal, hexadecimal, short, with a final dot.
  ['127.0.0.1', '127.255.255.254', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1'],
  ['017700000001', '0x7F.1', '127.0.0.1.', '00000177.0.0.1', '0', '0.0.0.0', '0x0', '10.0.0.1', '167772161'],
  ['172.16.0.1', '172.31.255.255', '192.168.1.1', '0xc0a80101', '3232235777', '100.64.0.1', '100.127.255.254'],
  ['169.254.0.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.0.0.8', '192.0.2.1'],
  ['198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.88.99.1', '192.31.196.1', '192.175.48.1'],
  // Metadata and credential services of clouds.
  ['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '100.100.100.200', '168.63.129.16'],
  ['192.0.0.192', '[fd00:ec2::254]', '[fd20:ce::254]', 'metadata.google.internal', 'metadata.google.internal.'],
  // IPv6, and IPv4 inside it: mapped, compatible, NAT64, 6to4, Teredo, ISATAP, translated.
  ['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]'],
  ['[::127.0.0.1]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[64:ff9b::169.254.169.254]', '[64:ff9b:1::a00:1]'],
  ['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2001:0:53aa:64c::80ff:fffe]', '[2001:4860::5efe:7f00:1]'],
  ['[2001:4860::200:5efe:a00:1]', '[::ffff:0:127.0.0.1]', '[fe80::1]', '[febf::1]', '[fc00::1]', '[fdff::1]'],
  ['[fec0::1]', '[ff02::1]', '[ff0e::1]', '[100::1]', '[2001:db8::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]'],
  ['[3fff::1]', '[5f00::1]', '[4000::1]'],
  // Names of local networks, and digits of other scripts, which URL parsing normalizes.
  ['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'localhost.localdomain', 'intranet', 'db', 'printer.local'],
  ['router.lan', 'nas.home.arpa', 'vault.internal', 'ldap.corp', 'hidden.onion', '①②⑦.⓪.⓪.①', '１２７.0.0.1'],
  ['127。0。0。1', '%31%32%37.0.0.1', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '0x7f。1'],
].flat()

/** Whole URLs: schemes, user names, ports, backslashes. */
const URLS = [
  ['http://hooks.test.example/', 'ftp://hooks.test.example/', 'file:///etc/passwd', 'gopher://127.0.0.1:6379/_'],
  ['data:text/plain,x', 'javascript:alert(1)', 'unix:/run/docker.sock', 'ws://hooks.test.example/', 'hooks', ''],
  [
    'https://hooks.test.example@127.0.0.1/',
    'https://user:secret@hooks.test.example/',
    'https://user@hooks.test.example/',
  ],
  ['https:\\\\127.0.0.1\\', 'https:127.0.0.1', 'https:///127.0.0.1', 'https://127.0.0.1#@hooks.test.example/'],
  ['https://127.0.0.1?.hooks.test.example/', 'https://hooks.test.example:22/', 'https://hooks.test.example:25/'],
  ['https://hooks.test.example:5432/', 'https://hooks.test.example:6379/', 'https://hooks.test.example:2375/'],
].flat()

/** Forbidden results of a DNS look-up: one bad address among good ones suffices. */
const ANSWERS = [
  [['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['::1'], ['::ffff:10.0.0.1'], ['fe80::1%eth0'], ['fd00::1']],
  [['64:ff9b::a00:1'], ['93.184.215.14', '127.0.0.1'], ['2606:4700::1111', 'fd00::1'], ['0.0.0.0'], ['::'], []],
  [['2606:4700::1111%eth0'], ['not an address'], ['0x7f000001'], ['1'], ['100.64.0.1']],
].flat()

describe(`${HOSTS.length + URLS.length + ANSWERS.length} hostile targets`, () => {
  test.each(HOSTS)('host %s is refused', async (host) => {
    for (const url of [`https://${host}/hook`, `https://${host}:8443/`])
      expect(await send(open(), url)).toMatchObject({ kind: 'refused' })
  })

  test.each(URLS)('URL %s is refused', async (url) => {
    expect(await send(open(), url)).toMatchObject({ kind: 'refused' })
  })

  test.each(ANSWERS)('a name that resolves to %s is refused', async (...addresses) => {
    const outbound = open({ resolve: () => Promise.resolve(addresses) })
    expect(await send(outbound, 'https://hooks.test.example/')).toMatchObject({ kind: 'refused' })
  })

  test('public addresses are allowed', () => {
    for (const address of [
      // Beside the private ranges.
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '126.255.255.255',
      '128.0.0.0',
      '168.63.129.15',
      '168.63.129.17',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '93.184.215.14',
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
  })

  test('names and ports that only resemble forbidden ones are allowed', () => {
    for (const url of [
      'https://localhost.example/',
      'https://notlocalhost.example/',
      'https://local.example/',
      'https://internal.example/',
      'https://corp.example/',
      'https://home.arpa.example/',
      'https://my-lan.example/',
      'https://hooks.mylocalhost/',
      'https://hooks.notinternal/',
      'https://127.0.0.1.example/',
      'https://hooks.example:1024/',
      'https://hooks.example:5433/',
      'https://hooks.example:63790/',
    ])
      expect([url, targetUrlFault(url, { allowPrivate: false, httpsOnly: true })]).toEqual([url, undefined])
    for (const url of [
      'https://a.localhost/',
      'https://b.c.internal/',
      'https://x.home.arpa/',
      'https://hooks.example:1023/',
    ])
      expect([url, targetUrlFault(url, { allowPrivate: false, httpsOnly: true })]).not.toEqual([url, undefined])
  })
})

const isTestPublic = (address: string) => address.startsWith('127.0.0.') || isPublicAddress(address)
const servers: Bun.Server<undefined>[] = []
afterAll(async () => void (await Promise.all(servers.map((server) => server.stop(true)))))

/** A server on a loopback address that the test treats as public. */
function listen(hostname: string, port: number, answer: (request: Request) => Response, secure = false) {
  const hosts: string[] = []
  const server = Bun.serve({
    hostname,
    port,
    ...(secure ? { tls: { cert: CERTIFICATE, key: KEY } } : {}),
    fetch: (request) => {
      hosts.push(request.headers.get('host') ?? '')
      return answer(request)
    },
  })
  servers.push(server)
  return { port: server.port ?? 0, hosts }
}
const ok = () => new Response('ok')

describe('a public name', () => {
  test('is reached at the checked address, with its name and its certificate', async () => {
    const resolved: string[] = []
    const receiver = listen('127.0.0.1', 0, ok, true)
    const resolve = (host: string) => Promise.resolve([(resolved.push(host), '127.0.0.1')])
    const outbound = open({ resolve, isPublic: isTestPublic, ca: CERTIFICATE })
    for (const name of ['hooks.test.example', 'other.test.example', 'HOOKS.test.example.'])
      expect(await send(outbound, `https://${name}:${receiver.port}/hook`)).toMatchObject({
        kind: 'answered',
        status: 200,
      })
    expect(resolved).toEqual(['hooks.test.example', 'other.test.example'])
    expect(receiver.hosts.slice(0, 2)).toEqual([
      `hooks.test.example:${receiver.port}`,
      `other.test.example:${receiver.port}`,
    ])
    // The same server under a name that its certificate lacks, and with an untrusted certificate.
    const wrong = await send(outbound, `https://evil.test.example:${receiver.port}/`)
    expect(wrong).toEqual({ kind: 'failed', reason: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    const unknown = open({ resolve, isPublic: isTestPublic })
    expect(await send(unknown, `https://hooks.test.example:${receiver.port}/`)).toMatchObject({ kind: 'failed' })
    expect(receiver.hosts).toHaveLength(3)
  })

  test('that changes between the check and the connection is reached at the checked address', async () => {
    const good = listen('127.0.0.1', 0, ok)
    const evil = listen('127.0.0.2', good.port, ok)
    let lookups = 0
    const resolve = () => Promise.resolve(lookups++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
    const outbound = open({ resolve, httpsOnly: false, isPublic: (address) => address === '127.0.0.1' })
    expect(await send(outbound, `http://rebind.test.example:${good.port}/`)).toMatchObject({ status: 200 })
    expect([lookups, good.hosts.length, evil.hosts.length]).toEqual([1, 1, 0])
  })

  test('that later resolves to a private address is refused, even while an earlier connection is open', async () => {
    const good = listen('127.0.0.1', 0, ok)
    let address = '127.0.0.1'
    const options = { httpsOnly: false, isPublic: (text: string) => text === '127.0.0.1', dnsCacheMs: 1 }
    const outbound = open({ resolve: () => Promise.resolve([address]), ...options })
    const url = `http://moving.test.example:${good.port}/`
    expect(await send(outbound, url)).toMatchObject({ status: 200 })
    address = '10.0.0.1'
    expect(await waitUntil(async () => (await send(outbound, url)).kind === 'refused', 2000)).toBe(true)
    const before = good.hosts.length
    expect(await send(outbound, url)).toMatchObject({ kind: 'refused' })
    expect(good.hosts).toHaveLength(before)
  })

  test('is reached at another of its addresses when one refuses the connection', async () => {
    const { port, hosts } = listen('127.0.0.4', 0, ok)
    const resolve = () => Promise.resolve(['127.0.0.5', '127.0.0.4'])
    const outbound = open({ resolve, httpsOnly: false, isPublic: isTestPublic })
    expect(await send(outbound, `http://two.test.example:${port}/`)).toMatchObject({ kind: 'answered', status: 200 })
    expect(hosts).toHaveLength(1)
    const none = open({ resolve: () => Promise.resolve(['127.0.0.5']), httpsOnly: false, isPublic: isTestPublic })
    expect(await send(none, `http://none.test.example:${port}/`)).toEqual({ kind: 'failed', reason: 'ECONNREFUSED' })
  })

  test('that redirects to a private address is not followed', async () => {
    const inside = listen('127.0.0.3', 0, ok)
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `http://127.0.0.3:${inside.port}/secret`
      const door = listen('127.0.0.1', 0, () => new Response('elsewhere', { status, headers: { location } }))
      const outbound = open({ resolve: () => Promise.resolve(['127.0.0.1']), httpsOnly: false, isPublic: isTestPublic })
      const outcome = await send(outbound, `http://door.test.example:${door.port}/`)
      expect(outcome).toMatchObject({ kind: 'answered', status, snippet: 'elsewhere' })
    }
    expect(inside.hosts).toEqual([])
  })
})

test('the results of the system’s resolver are checked', async () => {
  const { port } = listen('127.0.0.1', 0, ok)
  const url = `http://localhost:${port}/`
  const inside = openOutbound({ ...limits, httpsOnly: false, allowPrivate: true })
  expect(await send(inside, url)).toMatchObject({ kind: 'answered', status: 200 })
  const outside = openOutbound({ ...limits, httpsOnly: false })
  expect(await send(outside, url)).toMatchObject({ kind: 'refused' })
})

test('a name is resolved without a thread of its own, so that silent name servers block no other work', async () => {
  const { port } = listen('127.0.0.1', 0, ok)
  const lookup = spyOn(dns, 'lookup')
  try {
    const inside = openOutbound({ ...limits, httpsOnly: false, allowPrivate: true })
    expect(await send(inside, `http://localhost:${port}/`)).toMatchObject({ kind: 'answered', status: 200 })
    expect(lookup.mock.calls).toEqual([['localhost', { backend: 'c-ares' }]])
  } finally {
    lookup.mockRestore()
  }
})

describe('a response', () => {
  const options = { resolve: () => Promise.resolve(['127.0.0.1']), httpsOnly: false, isPublic: isTestPublic }

  test('that never ends is cut at 4 KiB, compressed or not', async () => {
    const endless = () =>
      new Response(
        new ReadableStream({ pull: async (stream) => (await Bun.sleep(1), stream.enqueue('x'.repeat(3000))) }),
      )
    const bomb = () =>
      new Response(Bun.gzipSync(new Uint8Array(10_000_000)), { headers: { 'content-encoding': 'gzip' } })
    for (const answer of [endless, bomb]) {
      const { port } = listen('127.0.0.1', 0, answer)
      const outcome = await send(open(options), `http://long.test.example:${port}/`)
      expect(outcome).toMatchObject({ kind: 'answered', status: 200 })
      expect(outcome.kind === 'answered' && Buffer.from(outcome.snippet).length).toBeLessThanOrEqual(4096 * 3)
    }
  })

  test('that is missing or incomplete at the time limit is a timeout', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
    const drip = listen(
      '127.0.0.1',
      0,
      () => new Response(new ReadableStream({ pull: async (stream) => (await Bun.sleep(50), stream.enqueue('x')) })),
    )
    for (const port of [silent.port, drip.port]) {
      const outcome = await send(open({ ...options, timeoutMs: 300 }), `http://slow.test.example:${port}/`)
      expect(outcome).toEqual({ kind: 'failed', reason: 'timeout' })
    }
    silent.stop(true)
  })

  test('is a timeout when the look-up hangs, and a failure when the look-up fails', async () => {
    const hanging = open({ ...options, resolve: () => new Promise(() => undefined), timeoutMs: 100 })
    expect(await send(hanging, 'http://hanging.test.example/')).toEqual({ kind: 'failed', reason: 'timeout' })
    expect(await send(open({ httpsOnly: false }), 'http://unknown.test.example/')).toMatchObject({ kind: 'failed' })
  })
})
