// Rules of style sheets are for elements that exist: a class, id, attribute or element that nothing writes has none.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { ROOT } from '../../support/imports.ts'
import { namesIn, readSheet, selectorsOf, sheetPaths, unusedNames } from '../../support/style-sheets.ts'

const MAX_LINES = 300
/** Where templates and scripts stand. */
const FOLDERS = ['src/web', 'src/platform']
/** Names that templates take from data, and from where. */
const FROM_DATA: Readonly<Record<string, string>> = {
  delete: 'the method of an operation',
  patch: 'as above',
  put: 'as above',
}
/** The programs that draw elements of their own, as patterns, by the sheets that are for these. */
const LIBRARIES: Readonly<Record<string, string>> = {
  'api-docs.css': 'swagger-ui-dist/swagger-ui-bundle.js',
  'queues.css': '@bull-board/ui/dist/static/**/*.{js,css}',
  'chart.css': 'uplot/dist/uPlot.iife.min.js',
  'ops.css': 'uplot/dist/uPlot.iife.min.js',
}

const modules = join(ROOT, 'node_modules')
const textOf = (pattern: string) =>
  [...new Bun.Glob(pattern).scanSync(modules)].map((path) => readFileSync(join(modules, path), 'utf8')).join('\n')
const libraries = new Map(Object.entries(LIBRARIES).map(([sheet, pattern]) => [sheet, textOf(pattern)]))
const used = namesIn(FOLDERS)

/** The selectors of a sheet with names that nothing gives an element. */
const unusedIn = (path: string, sheet: string) =>
  selectorsOf(sheet).flatMap((selector) => {
    const names = unusedNames(selector, used, libraries.get(basename(path))).filter((name) => !(name in FROM_DATA))
    return names.length > 0 ? [`${path}: ${selector} (${names.join()})`] : []
  })

test('every rule is for elements that templates, scripts or libraries write', () => {
  const paths = sheetPaths()
  expect(paths.length).toBeGreaterThan(40)
  expect(paths.flatMap((path) => unusedIn(path, readSheet(path)))).toEqual([])
})

test.each([
  ['.badge.outdated { color: red }', '.badge.outdated (outdated)'],
  ['#former { color: red }', '#former (former)'],
  ['[data-former] { color: red }', '[data-former] (data-former)'],
  ["[data-column='Former'] { color: red }", "[data-column='Former'] (Former)"],
  ['marquee { color: red }', 'marquee (marquee)'],
  ['@media print { .badge, .former:not(.badge) { color: red } }', '.former:not(.badge) (former)'],
  ['.badge:not(.former) { color: red }', '.badge:not(.former) (former)'],
])('%s would be noticed', (sheet, found) => {
  expect(unusedIn('one.css', sheet)).toEqual([`one.css: ${found}`])
})

test.each(Object.keys(FROM_DATA))('%s occurs in a sheet, and in no template', (name) => {
  const selectors = sheetPaths().flatMap((path) => selectorsOf(readSheet(path)))
  expect(selectors.some((selector) => unusedNames(selector, used).includes(name))).toBe(true)
})

test(`no sheet is longer than ${MAX_LINES} lines`, () => {
  const long = (path: string) => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1 > MAX_LINES
  expect(sheetPaths().filter(long)).toEqual([])
})

test('every sheet is served, by its own name or in one that imports it', () => {
  const imported = sheetPaths().flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^@import '([^']+)';$/gm)].map(([, name = '']) =>
      join(path, '..', name),
    ),
  )
  const served = readFileSync(join(ROOT, 'src/web/ui/bundles.ts'), 'utf8')
  const isServed = (path: string) => imported.includes(path) || served.includes(`'${basename(path)}'`)
  // The widget's script brings its sheet along.
  expect(sheetPaths().filter((path) => !isServed(path) && basename(path) !== 'widget.css')).toEqual([])
  expect(new Set(imported).size).toBe(imported.length)
})
