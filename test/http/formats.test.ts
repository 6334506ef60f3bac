// Formats of text: what we accept is what the document promises, by a validator that has never seen our code.
import '../../src/platform/schema/types.ts'

import { expect, test } from 'bun:test'

import { FormatRegistry } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'

const ajv = new Ajv2020()
addFormats.default(ajv)

/** Texts near the format, good and bad ones. */
const NEAR: Record<string, fc.Arbitrary<string>> = {
  uri: fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.stringMatching(/^https?:\/\/(\[::1\])?[ -~]{0,20}$/),
  ),
  email: fc.oneof(fc.emailAddress(), fc.stringMatching(/^[ -~]{1,8}@[a-z0-9.-]{1,10}$/)),
  date: fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d$/),
  'date-time': fc.stringMatching(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d(:[0-6]\d)?(\.\d{1,4})?(Z|[+-]\d\d:\d\d|)$/),
  uuid: fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-gA-F]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
}

test.each(Object.entries(NEAR))('what we take for a %s is one by JSON Schema', (format, texts) => {
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

test('every format of our own is tried here', () => {
  expect([...FormatRegistry.Entries().keys()].filter((format) => !NEAR[format])).toEqual([])
})

test.each([
  ['uri', ['https://example.com/photos/1.jpg?size=2&q=a%20b#top', 'http://[::1]:3000/', 'mailto:someone@test.example']],
  ['email', ["o'hara+home@mail.test.example", 'a.b@x.example', 'ü@test.example']],
  ['date-time', ['2026-05-04T09:00:00Z', '2026-05-04T09:00:00.123456+05:30']],
])('good ones of %s are taken', (format, good) => {
  for (const text of good) expect([text, FormatRegistry.Get(format)?.(text)]).toEqual([text, true])
})
