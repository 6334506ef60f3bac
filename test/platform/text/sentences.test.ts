// How all texts write some things: names at the end of a sentence, some of which bring their own full stop, and percentages.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { endingIn } from '../../../src/platform/text/format.ts'
import { ROOT, filesUnder, readSources } from '../../support/imports.ts'

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

/** A number, or a value in a template, apart from its percent sign. No line of code divides a literal number by one. */
const APART = /^.*[\d}]\s%(?!\w|\().*$/gmu

test('a percent sign follows its number without a space: in pages, messages, tools, the documents and the bench', () => {
  const documents = ['docs', 'bench', 'ops']
    .flatMap(filesUnder)
    .concat([...new Bun.Glob('*.md').scanSync(ROOT)])
    .filter((path) => /\.(md|json)$/.test(path))
  const texts = [
    ...readSources(['src', 'workers', 'bench', 'ops']),
    ...documents.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  ]
  expect(documents.length).toBeGreaterThan(30)
  const found = texts.flatMap(({ path, text }) => Array.from(text.matchAll(APART), ([line]) => `${path}: ${line}`))
  expect(found).toEqual([])
  expect(['a deposit of 25 %', '`${share} %`', '25% of it'].map((text) => text.search(APART))).toEqual([0, 0, -1])
})
