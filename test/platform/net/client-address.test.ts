// The client address of a request, behind trusted proxies or not.
import { describe, expect, test } from 'bun:test'

import ipaddr from 'ipaddr.js'

import { bitsOfIpv4, openClientNaming, parseRange } from '../../../src/platform/net/client-address.ts'

describe('the client of a request', () => {
  const trusted = ['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48'].map((text) => {
    const range = parseRange(text)
    if (!range) throw new Error(`${text} is not a range.`)
    return range
  })
  const clientOf = openClientNaming(trusted)

  test.each([
    ['a peer', '203.0.113.9', null, '203.0.113.9'],
    ['an IPv6 peer, by its /64', '2001:db8:1:2:3:4:5:6', null, '2001:db8:1:2::/64'],
    ['another peer of that /64', '2001:db8:1:2:ffff::1', null, '2001:db8:1:2::/64'],
    ['IPv4 mapped into IPv6', '::ffff:203.0.113.9', null, '203.0.113.9'],
    ['an untrusted peer with a header', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['behind a trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['behind a trusted proxy, IPv4 mapped into IPv6', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
    ['behind a trusted proxy with IPv6', '2001:db8:ffff::1', '2001:db8:5:6::7', '2001:db8:5:6::/64'],
    ['behind two trusted proxies', '10.1.2.3', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['behind a proxy, with forged hops', '10.1.2.3', '1.2.3.4, 5.6.7.8, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['behind a proxy, with a forged invalid hop', '10.1.2.3', 'nonsense, 198.51.100.1', '198.51.100.1'],
    ['with a port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['with IPv6 and a port', '10.1.2.3', '[2001:db8:5:6::7]:4711', '2001:db8:5:6::/64'],
    ['inside the trusted network', '10.1.2.3', '10.4.4.4, 10.5.5.5', '10.4.4.4'],
    ['behind a proxy with an invalid header', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['behind an empty header', '10.1.2.3', '', '10.1.2.3'],
    ['behind a proxy with a partial address', '10.1.2.3', '198.51.100', '10.1.2.3'],
    ['behind a proxy with a hexadecimal address', '10.1.2.3', '0x7f000001', '10.1.2.3'],
    [
      'behind a very long chain of proxies',
      '10.1.2.3',
      Array.from({ length: 500 }, () => '10.0.0.1').join(),
      '10.1.2.3',
    ],
    ['no peer at all', undefined, '198.51.100.1', 'local'],
  ])('%s', (_, peer, forwardedFor, expected) => {
    const headers = new Headers(forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor })
    expect(clientOf(peer, headers)).toBe(expected)
  })

  test('a peer in a private network that names others and is not trusted is reported, and no other', () => {
    const unknown: string[] = []
    const naming = openClientNaming(trusted, (peer) => unknown.push(peer))
    const named = new Headers({ 'x-forwarded-for': '198.51.100.1' })
    const near = ['127.0.0.1', '172.16.0.9', '172.31.255.1', '192.168.1.1', '::1', 'fd00::5', '::ffff:192.168.1.1']
    for (const peer of near) expect(naming(peer, named)).toBe(naming(peer, new Headers()))
    expect(unknown).toEqual(near)
    for (const peer of [...near, '10.1.2.3']) naming(peer, new Headers())
    for (const peer of ['10.1.2.3', '203.0.113.9', '172.32.0.1', '128.0.0.1', '2001:db8::1']) naming(peer, named)
    expect(unknown).toEqual(near)
  })

  test('the fast IPv4 parser accepts the same addresses as the strict one, with the same value', () => {
    const digits = '0123456789..'
    const random = (below: number) => Math.floor(Math.random() * below)
    let accepted = 0
    for (let n = 0; n < 50_000; n++) {
      const text =
        n % 2 === 0
          ? Array.from({ length: 4 }, () => random(290)).join('.')
          : Array.from({ length: 7 + random(9) }, () => digits[random(digits.length)]).join('')
      const isStrict = ipaddr.IPv4.isValidFourPartDecimal(text)
      const bits = bitsOfIpv4(text)
      if (isStrict) {
        accepted++
        const octets = ipaddr.IPv4.parse(text)
          .octets.map((octet) => octet.toString(16).padStart(2, '0'))
          .join('')
        expect([((bits ?? 0) >>> 0).toString(16).padStart(8, '0'), ipaddr.IPv4.parse(text).toString()]).toEqual([
          octets,
          text,
        ])
      } else expect([text, bits]).toEqual([text, undefined])
    }
    expect(accepted).toBeGreaterThan(5000)
  })

  test.each(['10.0.0.0/33', '10.0.0', 'example.com', '::1/129', '1.2.3.4/', '0x7f.1'])('%s is not a range', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })
})
