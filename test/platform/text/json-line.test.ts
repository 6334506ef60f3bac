// The line of an error in JSON, beside the parser's own decision.
import { expect, test } from 'bun:test'

import { lineOfJsonFault } from '../../../src/platform/text/json-line.ts'

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test.each([
  ['{\n  "a": 1,\n  "b": }\n', 3],
  ['{\n  "a": 1\n  "b": 2\n}', 3],
  ['{"a": [1, 2\n', 1],
  ['[1,\n2,\n]', 3],
  ['{"a": 01}', 1],
  ['{"a": 1}\n\n{}', 3],
  ['{\n"a": "one\ntwo"}', 2],
  ['{\n"a": \'b\'}', 2],
  ['[}\n', 1],
  ['', 1],
])('%j has its error on line %i', (text, line) => {
  expect([isJson(text), lineOfJsonFault(text)]).toEqual([false, line])
})

test('every text that the parser takes has no error, and every text that it refuses has one', () => {
  const whole = JSON.stringify({ a: [1, -2.5e3, 'x\\"y\n', null, true, {}, []], 'b c': { d: 'é' } }, null, 1)
  expect(lineOfJsonFault(whole)).toBeUndefined()
  for (let at = 0; at < whole.length; at++)
    for (const text of [whole.slice(0, at) + whole.slice(at + 1), `${whole.slice(0, at)}]${whole.slice(at)}`])
      expect([text, lineOfJsonFault(text) === undefined]).toEqual([text, isJson(text)])
})
