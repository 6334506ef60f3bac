// Names of businesses and people at the end of a sentence: some bring their own full stop.
import { expect, test } from 'bun:test'

import { endingIn } from '../../../src/platform/text/format.ts'
import { readSources } from '../../support/imports.ts'

/** A name that people typed, put before a full stop. */
const NAMED =
  /\{[^{}]*(?:\bpro|\bcustomer\.name|businessName|BusinessName|customerName|CustomerName)\}\.(?=[\s`'"<]|$)/gm

test.each([
  ['Falcon Plumbing Co.', 'Falcon Plumbing Co.'],
  ['Falcon Plumbing', 'Falcon Plumbing.'],
  ['Is it clean?', 'Is it clean?'],
])('%s ends a sentence as %s', (name, sentence) => {
  expect(endingIn(name)).toBe(sentence)
})

test('no text puts a full stop behind a name that may have one', () => {
  const sources = readSources(['src'])
  expect(sources.length).toBeGreaterThan(500)
  const found = sources.flatMap(({ path, text }) => Array.from(text.matchAll(NAMED), ([part]) => `${path}: ${part}`))
  expect(found).toEqual([])
  expect('`paid to ${pro}. It goes`'.match(NAMED)).toHaveLength(1)
})
