// The import law and the other rules of structure. A rule that must give way somewhere says so here, with the reason.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { ROOT, type SourceFile, filesUnder, findCycles, readSources } from './support/imports.ts'

const sources = readSources(['src', 'workers'])

/** The layers, the lowest first. A file imports from its own layer and from those above it in this list. */
const LAYERS = [
  { name: 'platform', owns: /^src\/platform\// },
  { name: 'errors', owns: /^src\/errors\// },
  { name: 'config', owns: /^src\/config\.ts$/ },
  { name: 'deps', owns: /^src\/deps\.ts$/ },
  { name: 'idempotency', owns: /^src\/idempotency\// },
  { name: 'auth', owns: /^src\/auth\// },
  { name: 'payments', owns: /^src\/payments\// },
  { name: 'rate-limit', owns: /^src\/rate-limit\// },
  { name: 'http', owns: /^src\/http\// },
  { name: 'features', owns: /^src\/features\// },
  { name: 'webhooks/delivery', owns: /^src\/webhooks\/delivery\// },
  { name: 'webhooks/endpoints', owns: /^src\/webhooks\/endpoints\// },
  { name: 'mcp', owns: /^src\/mcp\// },
  { name: 'web', owns: /^src\/web\// },
  { name: 'app', owns: /^src\/app\.ts$/ },
  { name: 'workers', owns: /^workers\// },
  { name: 'local', owns: /^src\/local\// },
  { name: 'server', owns: /^src\/server\.ts$/ },
  { name: 'commands', owns: /^src\/commands\// },
  { name: 'cli', owns: /^src\/cli\.ts$/ },
] as const
type Layer = (typeof LAYERS)[number]['name']

/** The rooms that hold the business: every folder directly inside them is one noun, and all have the same shape. */
const BUSINESS = /^src\/(features|auth)\/[^/]+\/|^src\/webhooks\/endpoints\/|^src\/(payments|idempotency)\//

/**
 * The kinds of files of a noun, the lowest first: a file imports its own kind and the kinds above it in this list.
 * A file of another name (`hours.ts`, `states.ts`) is plain: shapes and pure functions that every kind may import.
 */
const KINDS = [
  { kind: 'plain', owns: /^/ },
  { kind: 'queries', owns: /\/queries(\/[^/]+)?\.ts$/ },
  { kind: 'verbs', owns: /\/verbs(\/[^/]+)?\.ts$/ },
  { kind: 'routes', owns: /\/routes(\/[^/]+)?\.ts$/ },
] as const

/** Packages that only some layers may load; types of them may go further where it says so. */
const RESERVED: Record<
  string,
  { layers: readonly Layer[]; kinds?: readonly Kind[]; files?: readonly string[]; typesAlsoIn?: readonly Layer[] }
> = {
  elysia: { layers: ['app', 'http', 'web'], kinds: ['routes'], files: ['src/mcp/routes.ts'], typesAlsoIn: ['server'] },
  // The seed loads its rows with COPY through the driver's own streams.
  postgres: { layers: ['platform', 'local'] },
  // `npm start` shuts its private Redis down through the client.
  ioredis: { layers: ['platform', 'workers', 'local'], typesAlsoIn: ['deps', 'rate-limit'] },
  bullmq: { layers: ['platform', 'workers'], typesAlsoIn: ['deps'] },
}

/** Who may read the environment besides config.ts, and why. OpenTelemetry's SDK reads OTEL_* itself. */
const READS_ENVIRONMENT: Record<string, string> = {
  'src/config.ts': 'the one reader',
  'src/commands/command-deps.ts': 'adds the settings of the local stack, and passes everything to config.ts',
  'src/commands/up/up.ts': 'passes its own environment to the servers it starts',
}

const MAX_LINES = 300

const rankOf = (path: string) => LAYERS.findIndex(({ owns }) => owns.test(path))
const layerOf = (path: string): Layer | undefined => LAYERS[rankOf(path)]?.name

type Kind = (typeof KINDS)[number]['kind']
const kindRankOf = (path: string) => KINDS.findLastIndex(({ owns }) => owns.test(path))
const kindOf = (path: string): Kind | undefined => KINDS[kindRankOf(path)]?.kind

/** The noun's folder, such as `src/features/bookings/`; undefined outside the business. */
const nounOf = (path: string) => BUSINESS.exec(path)?.[0]

/** Every violation as a line, so that a failure lists them all. */
const violations = (check: (file: SourceFile) => readonly string[]) =>
  sources.flatMap((file) => check(file).map((fault) => `${file.path}: ${fault}`))

test('every source file belongs to a layer', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(violations(({ path }) => (layerOf(path) ? [] : ['is in no layer of ARCHITECTURE.md']))).toEqual([])
})

test('imports go down only', () => {
  const faults = violations(({ path, imports }) =>
    imports
      .filter(({ target, isOurs }) => isOurs && target.endsWith('.ts') && rankOf(target) > rankOf(path))
      .map(({ target }) => `(${layerOf(path)}) imports ${target} (${layerOf(target)})`),
  )
  expect(faults).toEqual([])
})

test('inside the business, routes call verbs, verbs call queries, and never the other way', () => {
  const faults = violations(({ path, imports }) =>
    imports
      .filter(({ target }) => nounOf(path) && nounOf(target) && kindRankOf(target) > kindRankOf(path))
      .map(({ target }) => `(${kindOf(path)}) imports ${target} (${kindOf(target)})`),
  )
  expect(faults).toEqual([])
})

test('queries are called by the verbs of their own noun only', () => {
  const faults = violations(({ path, imports }) =>
    imports
      .filter(({ target }) => kindOf(target) === 'queries' && nounOf(target) !== nounOf(path))
      .map(({ target }) => `imports ${target}`),
  )
  expect(faults).toEqual([])
})

test('routes, verbs, queries and schemas are each a file or a folder, never both', () => {
  const paths = new Set(sources.map(({ path }) => path))
  const faults = [...paths].filter((path) => {
    const folder = /^(.*\/(?:routes|verbs|queries|schemas))\/[^/]+\.ts$/.exec(path)?.[1]
    return folder !== undefined && paths.has(`${folder}.ts`)
  })
  expect(faults).toEqual([])
})

test('elysia, postgres, ioredis and bullmq stay where they belong', () => {
  const faults = violations(({ path, imports }) =>
    imports.flatMap(({ target, isTypeOnly }) => {
      const rule = RESERVED[target]
      const layer = layerOf(path)
      const kind = nounOf(path) ? kindOf(path) : undefined
      if (
        !rule ||
        !layer ||
        rule.files?.includes(path) ||
        rule.layers.includes(layer) ||
        (kind && rule.kinds?.includes(kind))
      )
        return []
      return isTypeOnly && rule.typesAlsoIn?.includes(layer) ? [] : [`imports ${target}`]
    }),
  )
  expect(faults).toEqual([])
})

test('nothing imports itself by way of others', () => {
  expect(findCycles(sources).map((cycle) => cycle.join(' → '))).toEqual([])
})

test('only config.ts reads the environment', () => {
  const faults = violations(({ path, text }) =>
    /\b(process|Bun|import\.meta)\.env\b/.test(text) && !(path in READS_ENVIRONMENT) ? ['reads the environment'] : [],
  )
  expect(faults).toEqual([])
})

test('no file is a drawer: no utils, common or helpers, no barrels, no default exports', () => {
  const faults = violations(({ path, hasDefaultExport }) => [
    ...(/(^|\/)(utils?|common|helpers?|misc|shared|lib)(\/|\.ts$)/.test(path) ? ['has a name that says nothing'] : []),
    ...(basename(path) === 'index.ts' ? ['is a barrel'] : []),
    ...(hasDefaultExport ? ['has a default export'] : []),
  ])
  expect(faults).toEqual([])
})

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = (path: string) => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1 > MAX_LINES
  const files = [...sources.map(({ path }) => path), ...filesUnder('test').filter((path) => path.endsWith('.ts'))]
  expect([...files, ...filesUnder('sql/functions'), ...filesUnder('sql/queries')].filter(long)).toEqual([])
})

test('functions and hot reads take time and ids from their caller', () => {
  const forbidden =
    /\b(now|gen_random_uuid|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(|\bcurrent_(timestamp|date|time)\b/i
  const faults = [...filesUnder('sql/functions'), ...filesUnder('sql/queries')].filter((path) =>
    forbidden.test(withoutSqlComments(readFileSync(join(ROOT, path), 'utf8'))),
  )
  expect(faults).toEqual([])
})

test('every hot read is loaded by name, and every name loaded is there', () => {
  const loaded = sources.flatMap(({ text }) =>
    [...text.matchAll(/statementFile(?:<[^(]*>)?\(\s*'([^']+)'/g)].map(([, name]) => name),
  )
  const files = filesUnder('sql/queries').map((path) => basename(path, '.sql'))
  expect(files.filter((name) => !loaded.includes(name))).toEqual([])
  expect(loaded.filter((name) => name && !files.includes(name))).toEqual([])
})

const withoutSqlComments = (sql: string) => sql.replace(/--.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')
