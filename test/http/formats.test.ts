// Text formats: an independent validator accepts every text that ours accept.
import '../../src/platform/schema/types.ts'

import { expect, test } from 'bun:test'

import { FormatRegistry } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'

const ajv = new Ajv2020()
addFormats.default(ajv)

/** Texts close to the format, valid and invalid. */
const CANDIDATES: Record<string, fc.Arbitrary<string>> = {
  uri: fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.stringMatching(/^https?:\/\/(\[::1\])?[ -~]{0,20}$/),
  ),
  email: fc.oneof(fc.emailAddress(), fc.stringMatching(/^[ -~]{1,8}@[a-z0-9.-]{1,10}$/)),
  date: fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d$/),
  'date-time': fc.stringMatching(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d(:[0-6]\d)?(\.\d{1,4})?(Z|[+-]\d\d:\d\d|)$/),
  uuid: fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-gA-F]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
}

test.each(Object.entries(CANDIDATES))('every %s that Hearth accepts is valid in JSON Schema', (format, texts) => {
  const ours = FormatRegistry.Get(format)
  const theirs = ajv.compile({ type: 'string', format })
  let accepted = 0
  fc.assert(
    fc.property(texts, (text) => {
      if (!ours?.(text)) return
      accepted++
      expect([text, theirs(text)]).toEqual([text, true])
    }),
    { numRuns: 5000 },
  )
  expect(accepted).toBeGreaterThan(50)
})

test('every format that Hearth defines is tested here', () => {
  expect([...FormatRegistry.Entries().keys()].filter((format) => !CANDIDATES[format])).toEqual([])
})

test.each([
  ['uri', ['https://example.com/photos/1.jpg?size=2&q=a%20b#top', 'http://[::1]:3000/', 'mailto:someone@test.example']],
  ['email', ["o'hara+home@mail.test.example", 'a.b@x.example', 'ü@test.example']],
  ['date-time', ['2026-05-04T09:00:00Z', '2026-05-04T09:00:00.123456+05:30']],
])('valid texts of the format %s are accepted', (format, valid) => {
  for (const text of valid) expect([text, FormatRegistry.Get(format)?.(text)]).toEqual([text, true])
})
