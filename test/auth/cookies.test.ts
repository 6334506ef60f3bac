// Cookies are bound to HTTPS and to their host wherever the site is reached by HTTPS, also outside of production.
import { expect, test } from 'bun:test'

import { cookie, readCookie } from '../../src/auth/cookies.ts'

test('a cookie is for HTTPS and one host only in production and with an address of HTTPS, elsewhere it works without', () => {
  const sites = [
    ['production', 'http://localhost:3000'],
    ['development', 'https://hearth.example'],
    ['development', 'http://localhost:3000'],
  ] as const
  const set = sites.map(([environment, baseUrl]) => cookie({ environment, baseUrl }, 'hearth-session', 'value'))
  expect(set.map((header) => [header.split('=')[0], /; secure/i.test(header), /; domain/i.test(header)])).toEqual([
    ['__Host-hearth-session', true, false],
    ['__Host-hearth-session', true, false],
    ['hearth-session', false, false],
  ])
  // Another host of the domain, or a page without HTTPS, can set the name without the prefix only.
  const planted = new Request('https://hearth.example', { headers: { cookie: 'hearth-session=planted' } })
  expect(readCookie({ environment: 'development', baseUrl: 'https://hearth.example' }, planted, 'hearth-session')).toBe(
    undefined,
  )
})
