// What a reader of the documents can rely on, apart from the commands.
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

import { formatSummary } from '../../bench/report/summary.ts'
import { readBaseline } from '../../bench/report/baseline.ts'
import { DOCUMENTS, ROOT, proseOf, readDocument } from '../support/documents.ts'

test('README.md has at most 150 lines and ARCHITECTURE.md at most 200', () => {
  const lines = (path: string) => readDocument(path).trimEnd().split('\n').length
  expect(lines('README.md')).toBeLessThanOrEqual(150)
  expect(lines('ARCHITECTURE.md')).toBeLessThanOrEqual(200)
})

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (document: string) =>
  Array.from(proseOf(document).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const LINKS = DOCUMENTS.flatMap((document) =>
  Array.from(proseOf(document).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => ({ document, target })),
).filter(({ target }) => !/^[a-z]+:/.test(target))

test('every relative link and anchor in every document leads somewhere', () => {
  const broken = LINKS.filter(({ document, target }) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? document : normalize(join(dirname(document), path))
    return !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
  })
  expect(broken).toEqual([])
  expect(LINKS.length).toBeGreaterThan(40)
})

test('a link from README.md, directly or over other documents, leads to every document', () => {
  const reached = new Set(['README.md'])
  for (const from of reached)
    for (const { document, target } of LINKS)
      if (document === from && target.split('#')[0]?.endsWith('.md'))
        reached.add(normalize(join(dirname(from), target.replace(/#.*/, ''))))
  expect(DOCUMENTS.filter((document) => !reached.has(document))).toEqual([])
})

/** The rows of README.md's figures: what a row begins with, and the scenario and figure in the table of the bench. */
const FIGURES: readonly (readonly [row: string, scenario: string, figure: string])[] = [
  ['a search within 25 miles, beside Fastify', 'GET /pros, a service within 25 miles', '× Fastify + Drizzle'],
  ['the same search, beside GEOSEARCH', 'GET /pros, a service within 25 miles', '× GEOSEARCH'],
  ['the same search, beside pgbench', 'GET /pros, a service within 25 miles', '× pgbench'],
  ['open times of 14 days', 'GET /pros/{id}/availability, 14 days', '× Express + Prisma'],
  [
    'bookings, beside pgbench',
    'POST /bookings of free slots, with API key and Idempotency-Key',
    '× pgbench calling the same function',
  ],
  ['1,000 clients at once', 'POST /bookings, 1,000 clients at once for one slot', '× p99 for different slots'],
  [
    'calls of the agent tool',
    'tools/call search_pros vs. GET /pros, a service within 25 miles, pages of 10',
    'calls per second',
  ],
  ['webhooks delivered', 'Webhooks, from a backlog of committed events to a receiver', 'deliveries per second'],
  [
    'p99 from commit',
    'Webhooks, from a backlog of committed events to a receiver',
    'p99 from commit to receiver, 100 events a second',
  ],
  ['resident memory', 'Memory of a server after 2,000,000 mixed requests', 'MB of resident memory at most'],
]

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

test('the figures of speed in README.md are those of the committed baseline', () => {
  const baseline = readBaseline()
  let title = ''
  const measured = new Map<string, string>()
  for (const [scenario = '', figure = '', quiet = ''] of formatSummary(baseline).split('\n').map(cellsOf)) {
    title = scenario || title
    measured.set(`${title}: ${figure}`, /\(\d{4}/.test(quiet) ? quiet : `${quiet} (${baseline.full?.on})`)
  }
  const section = /^## How fast\n([\s\S]*?)^## /m.exec(readDocument('README.md'))?.[1] ?? ''
  const rows = section.split('\n').map(cellsOf)
  const shown = rows.filter(([, figure = '']) => /\d/.test(figure))
  expect(shown.length).toBe(FIGURES.length)
  for (const [start, scenario, figure] of FIGURES) {
    const [, value = ''] = shown.find(([row = '']) => row.startsWith(start)) ?? []
    expect({ start, value: value.replace(/ (times the \w+|MB)/, '') }).toEqual({
      start,
      value: measured.get(`${scenario}: ${figure}`) ?? 'not measured',
    })
  }
})
