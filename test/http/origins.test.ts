// Origins are compared whole: one that only resembles the right one is another site.
import { beforeAll, describe, expect, test } from 'bun:test'

import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { allowedOrigin } from '../../src/http/cors.ts'
import { refuseForeign } from '../../src/http/form.ts'
import { instrumentedApp, openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp('migrated'))
const LOCK = 'https://xn--bcher-kva.test.example:8443'
const OWN = 'https://hearth.test.example'

/** Origins that share most of their text with `origin`: prefixes, suffixes, other schemes, ports, names and spellings. */
function nearMisses(origin: string): string[] {
  const { protocol, hostname, port, host } = new URL(origin)
  const end = port && `:${port}`
  return [
    // Prefixes and suffixes.
    `${origin}.evil.example`,
    `${origin}@evil.example`,
    `${origin}evil`,
    `${origin}0`,
    `${origin}/`,
    `${origin}/path`,
    `${origin}?`,
    `${origin}#`,
    `${origin},https://evil.example`,
    `${origin} null`,
    origin.slice(0, -1),
    origin.slice(1),
    host,
    hostname,
    `//${host}`,
    `${protocol}//`,
    `${protocol}//${host.slice(1)}`,
    // Other schemes, names and ports.
    `http://${host}`,
    `wss://${host}`,
    `file://${host}`,
    `${protocol}//evil-${host}`,
    `${protocol}//www.${host}`,
    `${protocol}//user@${host}`,
    `${protocol}//user:secret@${host}`,
    `${protocol}//${hostname}.${end}`,
    `${protocol}//${hostname}:443`,
    `${protocol}//${hostname}:80`,
    `${protocol}//${hostname}:84430`,
    ...(port ? [`${protocol}//${hostname}`, `${protocol}//${hostname}:${port.slice(0, -1)}`] : []),
    `${protocol}//[::1]${end}`,
    `${protocol}//127.0.0.1${end}`,
    // Other spellings, and letters that look alike.
    origin.toUpperCase(),
    origin.replace(protocol, protocol.toUpperCase()),
    origin.replace('test', 'Test'),
    origin.replace('test', 'te\u0455t'),
    origin.replace('xn--bcher-kva', 'bücher'),
    origin.replace('.', '%2e'),
    'null',
    'undefined',
    '*',
    '',
  ].filter((text, index, all) => text !== origin && all.indexOf(text) === index)
}

describe('a widget key', () => {
  let key = ''
  let server: ReturnType<typeof instrumentedApp>
  const readFrom = (origin?: string) =>
    server.handle(testRequest(app.deps.config.baseUrl, '/api/v1/services', { key, headers: origin ? { origin } : {} }))

  beforeAll(async () => {
    server = instrumentedApp(app.deps)
    const scopes = ['widget:public', 'widget:book'] as const
    const input = { ownerEmail: 'shop@test.example', name: 'widget', rateMultiplier: 1000 }
    key = (await createKey(ctxOf(app.deps), { ...input, scopes, origin: LOCK })).secret
  })

  test(`works in pages of its origin alone: ${nearMisses(LOCK).length} origins that resemble it are refused`, async () => {
    const read = await readFrom(LOCK)
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, LOCK])
    const widgetCaller = { origin: LOCK } as Parameters<typeof allowedOrigin>[0]
    for (const origin of nearMisses(LOCK)) {
      // A header can only hold Latin-1, so the comparison itself is called as well.
      const asked = { get: () => origin } as unknown as Headers
      expect(() => allowedOrigin(widgetCaller, asked, OWN)).toThrow(LOCK)
      if (!/^[\x21-\x7e]*$/.test(origin)) continue
      const response = await readFrom(origin)
      expect([origin, response.status]).toEqual([origin, 403])
      expect([null, '*']).toContain(response.headers.get('access-control-allow-origin'))
    }
    expect((await readFrom()).status).toBe(403)
  })

  test('is made for an origin as browsers send it, and for nothing that resembles one', async () => {
    const createFor = async (origin: string) => {
      const input = { ownerEmail: 'shop@test.example', name: 'widget', scopes: ['widget:public'] as const, origin }
      return await createKey(ctxOf(app.deps), input).then(
        (created) => created.origin,
        (error: { code: string }) => error.code,
      )
    }
    for (const origin of [
      'https://shop.example/path',
      'https://shop.example?',
      'https://shop.example#',
      'shop.example',
    ])
      expect([origin, await createFor(origin)]).toEqual([origin, 'validation_failed'])
    for (const origin of ['https://user@shop.example', 'ftp://shop.example', 'null', '*', 'https://bücher.example', ''])
      expect([origin, await createFor(origin)]).toEqual([origin, 'validation_failed'])
    expect(await createFor('HTTPS://Shop.example/')).toBe('https://shop.example')
  })
})

test('a key of a server is refused from every page except those of our own origin', () => {
  const serverCaller = { origin: null } as Parameters<typeof allowedOrigin>[0]
  const from = (origin: string) => () => allowedOrigin(serverCaller, { get: () => origin } as unknown as Headers, OWN)
  expect(from(OWN)()).toBeUndefined()
  for (const origin of nearMisses(OWN)) expect(from(origin)).toThrow('sent by a web page')
})

test('a form is accepted from our own origin alone', () => {
  const sentFrom = (origin: string, host: string) => () =>
    refuseForeign({ headers: { get: (name: string) => ({ origin, host })[name] ?? null } } as unknown as Request, OWN)
  expect(sentFrom(OWN, 'hearth.test.example')).not.toThrow()
  // The sender writes the Host: it proves nothing.
  expect(sentFrom('https://other.test.example', 'other.test.example')).toThrow('another site')
  // Another scheme or other letters for the same host are the same host.
  const { host } = new URL(OWN)
  const others = nearMisses(OWN).filter((origin) => !URL.canParse(origin) || new URL(origin).host !== host)
  expect(others.length).toBeGreaterThan(20)
  for (const origin of others) expect(sentFrom(origin, host)).toThrow('another site')
  for (const site of ['cross-site', 'same-site', 'none', 'same-origin-ish', 'SAME-ORIGIN', '']) {
    const headers = { get: (name: string) => (name === 'sec-fetch-site' ? site : null) }
    expect(() => refuseForeign({ headers } as unknown as Request, OWN)).toThrow('another site')
  }
})
