// Hostile inputs, by the part of the request that carries them.

/** Splits at whitespace, for lists whose items contain none. */
const words = (text: string): string[] => text.trim().split(/\s+/)

/** Texts that break careless code: empty, very long, unpaired surrogates, special in a language, number, path or format. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\u202e',
  '\u2028',
  '\u0130',
  '\ufb00',
  '\u0663',

  'x'.repeat(300),
  'x'.repeat(10_000),
  '\u{1d573}'.repeat(500),
  'e\u0301'.repeat(2000),
  '%'.repeat(50),
  '\\',
  '%_%',
  "'",
  '"',
  '`',
  "' or '1'='1",
  "'); drop table x; --",
  '$1',
  '$$',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '..%2f..%2f',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://169.254.169.254/',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'then',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-Infinity',
  '-0',
  '+1',
  '1.',
  '.5',
  '1e5',
  '1e309',
  '0x10',
  '1_000',
  '9007199254740993',
  '9'.repeat(400),
  '-2147483649',
  '2147483648',
  '9223372036854775808',
  '0.1'.padEnd(60, '1'),
  '[]',
  '{}',
  '[object Object]',
  '1,2',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '9999-12-31T23:59:59-12:00',
  '2026-12-01T10:00:00+16:00',
  '2026-12-01T10:00:00-23:59',
  '0000-01-01T00:00:00Z',
  '+292278994-08-17',
  '2026-06-01T24:00',
  '00:60',
  '24:00',
  '00000000-0000-0000-0000-000000000000',
  'HTH-',
  'a@b',
  '@',
  'a'.repeat(320).concat('@x.example'),
  '\r\nX-Injected: 1',
  'a\r\n\r\nGET /injected HTTP/1.1\r\n\r\n',
  '(?:a+)+$',
  'a'.repeat(64).concat('!'),
]

export const PROTOTYPE_KEYS = words('__proto__ constructor prototype toString __proto__[polluted] a[b][c] a[] a.b')

export const RAW_QUERIES = [
  'a&'.repeat(3000),
  `q=${'%41'.repeat(3000)}`,
  `limit=${'1'.repeat(5000)}`,
  ...words(`
    % %zz %e0%a4%a a=%c0%ae a=%ff%fe a=%ed%a0%80 limit=%00 %00=1 = & &&&=& =a ? ??a
    limit limit= limit=1&limit=2 limit[]=1 limit=1;offset=2 limit=+1 limit=1%20 a=b#c x=%u0041
    lat=1e308&lng=1 lat=90&lng=180 lat=-90&lng=-180 lat=0.0000000000000000000001&lng=-0 offset=99999999999999
  `),
]

export const METHODS = words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND PURGE QUERY')
export const INVENTED_METHODS = [...words('get Post BREW G GETT M-SEARCH __proto__'), 'X'.repeat(500)]

export const PATHS = [
  `/api/v1/pros/${'a'.repeat(6000)}`,
  `/${'a/'.repeat(2000)}`,
  ...words(`
    / // ///api/v1/pros /api /api/ /api/v1 /api/v2/pros /API/V1/PROS /api/v1/pros/ /api/v1//pros
    /api/v1/../../etc/passwd /api/v1/pros/.. /api/v1/pros/%2e%2e/%2e%2e /api/v1/pros/%2f /api/v1/pros/%00
    /api/v1/pros/%c0%ae /api/v1/pros/%zz /api/v1/pros/% /api/v1/pros/%ed%a0%80 /api/v1/pros/a;b=c /%2e
    /api/v1/pros/* /* /api/v1/pros/:id /api/v1/pros/{id} /.env /.git/config /problems/%5f%5fproto%5f%5f
    /api-docs/../openapi.json /assets/..%2f..%2fpackage.json /assets/hearth.css/ /problems/ /healthz/ /metrics
    /api/v1/bookings/%F0%9F%92%A9 /api/v1/pros/a%0d%0ab
  `),
]

export const HOSTS = [
  '',
  ' ',
  'a b',
  'h, i',
  'x'.repeat(3000),
  ...words(`
    h localhost evil.example 127.0.0.1:99999 [::1]:80 [::1 a/b user@host .. * h:port %00 é http://a/ _ - 127.1 0x7f.1
    xn-- a..b [fe80::1%25eth0]
  `),
]

export const CHUNK_SIZES = ['', '5 ', '5\t', ...words('zz -1 0x5 ffffffffffffffff +5 00000000005 5;ext=1 1000000000')]

export const HEADERS: readonly [name: string, values: readonly string[]][] = [
  [
    'Authorization',
    ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'bearer x y', `Bearer ${'a'.repeat(5000)}`, 'Bearer hearth_live_'],
  ],
  ['Authorization', [`Bearer hearth_live_${'0'.repeat(32)}`, 'Bearer \xff\xfe', 'Bearer null', 'Digest username="x"']],
  [
    'Content-Type',
    ['', 'text/plain', 'application/xml', 'application/json; charset=utf-16', 'APPLICATION/JSON;;;', ';', '/'],
  ],
  [
    'Content-Type',
    ['multipart/form-data', 'multipart/form-data; boundary=', 'application/x-www-form-urlencoded', 'x'.repeat(3000)],
  ],
  ['Content-Encoding', ['gzip', 'br', 'identity', 'deflate, gzip', 'nonsense']],
  ['Accept', ['', '*/*', 'text/html', 'image/*', 'application/json;q=0', 'a'.repeat(3000)]],
  ['Accept-Encoding', ['gzip', 'identity;q=0, *;q=0', 'nonsense']],
  ['Idempotency-Key', ['', ' ', 'a', 'x'.repeat(255), 'x'.repeat(256), 'é', '\x7f', 'a b', '"quoted"', '__proto__']],
  ['If-None-Match', ['*', '""', '"x", W/"y"', ',', 'x'.repeat(4000)]],
  ['If-Modified-Since', ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT']],
  ['Range', ['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'bytes=0-,0-,0-,0-']],
  ['Origin', ['null', 'https://evil.example', '', 'http://localhost', 'https://a.example https://b.example', '\xe9']],
  ['Access-Control-Request-Method', ['POST', 'BREW', '']],
  ['Cookie', ['a=b', '__proto__=1', 'a'.repeat(4000), ';;;=']],
  [
    'X-Forwarded-For',
    ['', 'unknown', '1.2.3.4, 5.6.7.8', '::1', '::ffff:127.0.0.1', '[2001:db8::1]:80', '999.1.1.1', 'a,b,'.repeat(500)],
  ],
  ['X-Forwarded-Host', ['evil.example']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['Forwarded', ['for=_hidden;by="[::1]"']],
  [
    'traceparent',
    [
      '',
      '00',
      `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`,
      `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
      'x'.repeat(2000),
    ],
  ],
  ['tracestate', ['a=b', ',,,', 'x'.repeat(1000)]],
  ['X-Request-Id', ['injected', 'x'.repeat(2000)]],
  ['Prefer', ['respond-async']],
]
