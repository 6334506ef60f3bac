// The import law and the other rules of structure. A rule that must give way somewhere says so here, with the reason.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { ROOT, type SourceFile, filesUnder, findCycles, readSources } from './support/imports.ts'

const sources = readSources(['src', 'workers'])

/** The layers from the bottom up. A file imports from its own layer's row only what the row allows. */
const LAYERS = [
  { name: 'platform', owns: /^src\/platform\// },
  { name: 'base', owns: /^src\/(errors|config)\.ts$|^src\/errors\// },
  { name: 'deps', owns: /^src\/deps\.ts$/ },
  { name: 'queries', owns: /^src\/features\/[^/]+\/queries(\/[^/]+)?\.ts$/ },
  { name: 'routes', owns: /^src\/features\/[^/]+\/routes(\/[^/]+)?\.ts$/ },
  { name: 'service', owns: /^src\/features\/[^/]+\/service(\/[^/]+)?\.ts$/ },
  // Shapes, names, formats: what every layer above may know of a feature, or of all of them (paging, transitions).
  { name: 'plain', owns: /^src\/features\/([^/]+\/)?[^/]+\.ts$/ },
  { name: 'http', owns: /^src\/http\// },
  { name: 'pages', owns: /^src\/pages\// },
  { name: 'agents', owns: /^src\/agents\// },
  { name: 'seed', owns: /^src\/seed\// },
  { name: 'app', owns: /^src\/app\.ts$/ },
  { name: 'server', owns: /^src\/server\.ts$/ },
  { name: 'commands', owns: /^src\/(cli\.ts$|commands\/)/ },
  { name: 'workers', owns: /^workers\// },
] as const
type Layer = (typeof LAYERS)[number]['name']

const SERVICES: Layer[] = ['platform', 'base', 'deps', 'plain', 'service']

/** What each layer may import: its own row only. */
const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  platform: ['platform'],
  base: ['platform', 'base'],
  deps: ['platform', 'base'],
  plain: ['platform', 'base', 'deps', 'plain'],
  queries: ['platform', 'base', 'plain', 'queries'],
  service: [...SERVICES, 'queries'],
  http: [...SERVICES, 'http'],
  routes: [...SERVICES, 'http'],
  pages: [...SERVICES, 'http', 'pages'],
  agents: [...SERVICES, 'http', 'agents'],
  seed: ['platform', 'base', 'plain', 'seed'],
  app: [...SERVICES, 'http', 'routes', 'pages', 'agents'],
  server: [...SERVICES, 'http', 'agents', 'app'],
  commands: [...SERVICES, 'http', 'app', 'server', 'seed', 'commands', 'workers'],
  workers: [...SERVICES, 'agents', 'workers'],
}

/** Packages that only some layers may load; types of them may go further where it says so. */
const RESERVED: Record<string, { layers: readonly Layer[]; typesAlsoIn?: readonly Layer[] }> = {
  elysia: { layers: ['app', 'routes', 'http', 'pages', 'agents'], typesAlsoIn: ['server'] },
  // The seed loads its rows with COPY, which is a matter of the driver's own streams.
  postgres: { layers: ['platform', 'seed'] },
  ioredis: { layers: ['platform', 'workers'], typesAlsoIn: ['deps'] },
  bullmq: { layers: ['platform', 'workers'], typesAlsoIn: ['deps'] },
}

/** Who may read the environment besides config.ts, and why. */
const READS_ENVIRONMENT: Record<string, string> = {
  'src/config.ts': 'the one reader',
  'src/commands/local.ts': 'puts what the local stack knows under the environment, and gives config.ts the whole',
  'src/commands/up.ts': 'gives the servers it starts the environment it was started with',
}

const MAX_LINES = 300

const layerByName = (path: string) => LAYERS.find(({ owns }) => owns.test(path))?.name

/** Parts of a service that have a name of their own, such as the cache in catalog/names.ts: what reads the queries. */
const namedServiceParts = new Set(
  sources
    .filter(({ path, imports }) => layerByName(path) === 'plain' && imports.some(isQueries))
    .map(({ path }) => path),
)

function isQueries({ target }: { target: string }): boolean {
  return layerByName(target) === 'queries'
}

const layerOf = (path: string): Layer | undefined => (namedServiceParts.has(path) ? 'service' : layerByName(path))

/** Every violation as a line, so that a failure lists them all. */
const violations = (check: (file: SourceFile) => readonly string[]) =>
  sources.flatMap((file) => check(file).map((fault) => `${file.path}: ${fault}`))

test('every source file belongs to a layer', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(violations(({ path }) => (layerOf(path) ? [] : ['is in no layer of ARCHITECTURE.md']))).toEqual([])
})

test('imports go down only', () => {
  const faults = violations(({ path, imports }) => {
    const layer = layerOf(path)
    return imports.flatMap(({ target, isOurs }) => {
      const other = isOurs && target.endsWith('.ts') ? layerOf(target) : undefined
      return layer && other && !MAY_IMPORT[layer].includes(other) ? [`(${layer}) imports ${target} (${other})`] : []
    })
  })
  expect(faults).toEqual([])
})

test('a feature’s queries and the parts of its service are its own', () => {
  const featureOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1]
  const isInternal = (path: string) => layerOf(path) === 'queries' || /\/service\/[^/]+\.ts$/.test(path)
  const faults = violations(({ path, imports }) =>
    imports
      .filter(({ target }) => isInternal(target) && featureOf(target) !== featureOf(path))
      .map(({ target }) => `imports ${target}`),
  )
  expect(faults).toEqual([])
})

test('elysia, postgres, ioredis and bullmq stay where they belong', () => {
  const faults = violations(({ path, imports }) =>
    imports.flatMap(({ target, isTypeOnly }) => {
      const rule = RESERVED[target]
      const layer = layerOf(path)
      if (!rule || !layer || rule.layers.includes(layer)) return []
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
