// One file has the values of the look: pages, e-mails and the widget take them from there.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { TOKENS, colour, readTokens, token, withTokens } from '../../../src/platform/style/tokens.ts'
import { bundleAll } from '../../../src/web/ui/bundles.ts'
import { ROOT, readSources } from '../../support/imports.ts'
import { TOKEN_SHEET, readSheet, sheetPaths } from '../../support/style-sheets.ts'

/** Sheets with colours of libraries, which are none of ours. */
const LIBRARY_SHEETS = new Set(['api-docs.css', 'queues.css'])
const EMAILS = 'src/features/messages/messages/templates/'
const A_COLOUR = /#[\da-f]{3,8}\b|\brgb\(|\blight-dark\(/gi

const sheets = sheetPaths().map((path) => ({ path, text: readSheet(path) }))
const emails = readSources(['src']).filter(({ path }) => path.startsWith(EMAILS))

/** The names of `var(--…)` in a text. */
const usesIn = (text: string) => [...text.matchAll(/var\(--([\w-]+)/g)].map(([, name = '']) => name)

test('every token that a sheet uses exists', () => {
  const set = sheets.flatMap(({ text }) => [...text.matchAll(/--([\w-]+):/g)].map(([, name = '']) => name))
  const known = new Set([...TOKENS.keys(), ...set])
  const missing = sheets.flatMap(({ path, text }) =>
    usesIn(text)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: --${name}`),
  )
  expect(missing).toEqual([])
  expect(sheets.flatMap(({ text }) => usesIn(text)).length).toBeGreaterThan(300)
})

test('every token is used by a sheet or an e-mail', () => {
  const inSheets = sheets.flatMap(({ text }) => usesIn(text))
  const inEmails = emails.flatMap(({ text }) =>
    [...text.matchAll(/\b(colour|token)\('([\w-]+)'\)/g)].map(([, kind, name]) =>
      kind === 'colour' ? `color-${name}` : name,
    ),
  )
  expect(inEmails.length).toBeGreaterThan(8)
  const used = new Set([...inSheets, ...inEmails])
  expect([...TOKENS.keys()].filter((name) => !used.has(name))).toEqual([])
})

test('no other sheet and no e-mail has a colour of its own', () => {
  const places = [
    ...sheets.filter(({ path }) => path !== TOKEN_SHEET && !LIBRARY_SHEETS.has(basename(path))),
    ...emails,
  ]
  expect(places.flatMap(({ path, text }) => (text.match(A_COLOUR) ?? []).map((found) => `${path}: ${found}`))).toEqual(
    [],
  )
})

test('sheets beside libraries and the widget have the values of the tokens', async () => {
  const bundles = await bundleAll()
  for (const name of ['api-docs.css', 'queues.css', 'widget.js'] as const) {
    const text = bundles.get(name) ?? ''
    const withoutSpaces = text.replaceAll(', ', ',')
    expect(withoutSpaces).toContain(token('color-accent').replaceAll(', ', ','))
    expect(usesIn(text).filter((it) => TOKENS.has(it))).toEqual([])
  }
  expect(bundles.get('hearth.css')).toContain(`--color-accent: ${token('color-accent')}`)
})

test('a token that does not exist is an error, and the rules for paper are no values', () => {
  expect(() => token('color-former')).toThrow('tokens.css has no --color-former.')
  expect(() => colour('open')).toThrow('--color-open is not light-dark(#…, #…).')
  const read = readTokens(
    ':root { /* --not: 1; */ --one: 1px;\n --two:\n a,\n b; } @media print { :root { --one: 2px } }',
  )
  expect([...read]).toEqual([
    ['one', '1px'],
    ['two', 'a, b'],
  ])
  expect(withTokens('a { color: var(--color-line); top: var(--other) }')).toBe(
    `a { color: ${token('color-line')}; top: var(--other) }`,
  )
})

test('the tokens file is read as a style sheet by browsers, and by this program, alike', () => {
  const declared = [...readFileSync(join(ROOT, TOKEN_SHEET), 'utf8').matchAll(/^ {2}--([\w-]+):/gm)]
  expect(declared.map(([, name]) => name)).toEqual([...TOKENS.keys()])
})
