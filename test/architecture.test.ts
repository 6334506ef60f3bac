// The layers of the program and the other rules of its structure. An exception to a rule stands here with its reason.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT, type SourceFile, filesUnder, findCycles, isCode, readSources } from './support/imports.ts'
import { PLAIN_MODULES } from './support/plain-modules.ts'

const sources = readSources(['src', 'workers'])

/** The scripts of pages run in browsers. */
const isClientScript = (path: string) => path.startsWith('src/web/ui/assets/scripts/')

/** The layers, the lowest first. A file imports its own layer and the layers before it in this list. */
const LAYERS = [
  { name: 'shared texts', owns: /^src\/platform\/(?:text\/(?:price|cancelling)|style\/letter)\.ts$/ },
  { name: 'client scripts', owns: /^src\/web\/ui\/assets\/scripts\// },
  { name: 'platform', owns: /^src\/platform\// },
  { name: 'errors', owns: /^src\/errors\// },
  { name: 'transition', owns: /^src\/transition\.tsx?$/ },
  { name: 'config', owns: /^src\/config(?:-variables)?\.tsx?$/ },
  { name: 'deps', owns: /^src\/deps\.tsx?$/ },
  { name: 'ctx', owns: /^src\/ctx\.tsx?$/ },
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
  { name: 'app', owns: /^src\/app\.tsx?$/ },
  { name: 'workers', owns: /^workers\// },
  { name: 'local', owns: /^src\/local\// },
  { name: 'server', owns: /^src\/(?:server|warm-up)\.tsx?$/ },
  { name: 'commands', owns: /^src\/commands\// },
  { name: 'cli', owns: /^src\/cli\.tsx?$/ },
] as const
type Layer = (typeof LAYERS)[number]['name']

/** The folders that hold the business, one noun each; all have the same shape. */
const BUSINESS = /^src\/(features\/[^/]+|auth)\/[^/]+\/|^src\/webhooks\/endpoints\/|^src\/(payments|idempotency)\//

// The kinds of files of a noun: each imports itself and those before it. Plain: schemas, states, `rules/` and PLAIN_MODULES, pure.
const KINDS = [
  { kind: 'plain', owns: /^/ },
  { kind: 'queries', owns: /\/queries(\/[^/]+)?(\.sql)?\.tsx?$/ },
  { kind: 'verbs', owns: /\/verbs(\/[^/]+)?\.tsx?$/ },
  { kind: 'routes', owns: /\/routes(\/[^/]+)?\.tsx?$/ },
] as const

/** Packages that only some layers may load; types may go further where it says so. */
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

/** The files that read the environment, and why. OpenTelemetry's SDK reads OTEL_* itself. */
const READS_ENVIRONMENT: Record<string, string> = {
  'src/config.ts': 'parses it once',
  'src/platform/postgres/statements.ts': 'checks the rows that tests read',
  'src/commands/command-deps.ts': 'adds the settings of the local stack, and passes everything to config.ts',
  'src/commands/up/up.ts': 'passes its own environment to the servers it starts',
}

/** The files that call `fetch`, and why: commands and workers ask processes of their own machine. */
const FETCHES: Record<string, string> = {
  'src/platform/net/outside.ts': 'is the door',
  'src/commands/doctor/processes.ts': 'asks the own server',
  'src/commands/up/servers.ts': 'asks the own server',
  'src/commands/up/panel.ts': 'asks the own server',
  'src/commands/mcp/forward.ts': 'is a client of a server, in a process of its own',
  'workers/runtime/supervisor-ops-server.ts': 'asks its own workers',
}

const MAX_LINES = 300

const rankOf = (path: string) => LAYERS.findIndex(({ owns }) => owns.test(path))
const layerOf = (path: string): Layer | undefined => LAYERS[rankOf(path)]?.name

type Kind = (typeof KINDS)[number]['kind']
const kindRankOf = (path: string) => KINDS.findLastIndex(({ owns }) => owns.test(path))
const kindOf = (path: string): Kind | undefined => KINDS[kindRankOf(path)]?.kind

/** The noun's folder, such as `src/features/booking/bookings/`; undefined outside the business. */
const nounOf = (path: string) => BUSINESS.exec(path)?.[0]

/** Every violation as a line. */
const violations = (check: (file: SourceFile) => readonly string[]) =>
  sources.flatMap((file) => check(file).map((fault) => `${file.path}: ${fault}`))

test('every source file belongs to a layer', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(violations(({ path }) => (layerOf(path) ? [] : ['belongs to no layer']))).toEqual([])
})

test.each(LAYERS.map(({ name }, rank) => ({ name, rank })))('$name imports no higher layer', ({ name, rank }) => {
  const files = sources.filter(({ path }) => rankOf(path) === rank)
  expect(files.length).toBeGreaterThan(0)
  const faults = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, isOurs }) => isOurs && isCode(target) && rankOf(target) > rank)
      .map(({ target }) => `${path} (${name}) imports ${target} (${layerOf(target)})`),
  )
  expect(faults).toEqual([])
})

test('the program imports only itself: nothing of the tests or the bench, which its image lacks', () => {
  const faults = violations(({ imports }) =>
    imports
      .filter(({ target, isOurs }) => isOurs && !/^(src|workers|package\.json)/.test(target))
      .map(({ target }) => `imports ${target}`),
  )
  expect(faults).toEqual([])
})

test('platform imports no client script, and http imports no feature', () => {
  const faults = violations(({ path, imports }) => {
    const apart = layerOf(path) === 'http' ? 'src/features/' : layerOf(path) === 'platform' ? 'src/web/' : '?'
    return imports.filter(({ target }) => target.startsWith(apart)).map(({ target }) => `imports ${target}`)
  })
  expect(faults).toEqual([])
})

test('a noun consists of routes, schemas, states, rules, verbs, queries and named plain modules', () => {
  const faults = violations(({ path }) => {
    const noun = nounOf(path)
    const isStandard =
      /^((routes|schemas|verbs|queries|templates)(\/[^/]+)?|rules\/[^/]+|states|queries\.sql)\.tsx?$/.test(
        path.slice(noun?.length),
      )
    return !noun || isStandard || path in PLAIN_MODULES
      ? []
      : ['is in none of them: name it in PLAIN_MODULES of this test']
  })
  expect(faults).toEqual([])
})

test('no file lies beside the nouns of src/features', () => {
  expect(
    violations(({ path }) => (/^src\/features\/([^/]+\/)?[^/]+$/.test(path) ? ['belongs to no noun'] : [])),
  ).toEqual([])
})

test('routes call verbs, verbs call queries, and nothing calls upwards', () => {
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
    const folder = /^(.*\/(?:routes|verbs|queries|schemas))\/[^/]+\.tsx?$/.exec(path)?.[1]
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

test('what waits for the outside passes one door: no other file fetches or resolves names', () => {
  const faults = violations(({ path, text }) => [
    ...(!isClientScript(path) &&
    /(?<![\w.])fetch\(|globalThis\.fetch|node:dns|from 'undici'|node:https?'/.test(withoutTexts(text)) &&
    !(path in FETCHES)
      ? ['fetches by itself; use outsideFetch of src/platform/net/outside.ts']
      : []),
    // Libraries that call the outside get the door, and do not open their own.
    ...(/new OpenAI\((?![^)]*fetch: )/.test(text) ? ['opens OpenAI without a fetch'] : []),
    ...(/createFetchHttpClient\(\)/.test(text) || (text.includes('new Stripe(') && !text.includes('FetchHttpClient('))
      ? ['opens Stripe without a fetch']
      : []),
  ])
  expect(faults).toEqual([])
})

const withoutTexts = (text: string) => text.replace(/`[^`]*`/g, '').replace(/^\s*(?:\/\/|\*).*$/gm, '')

test('no file imports itself through others, not even for their types', () => {
  expect(findCycles(sources).map((cycle) => cycle.join(' → '))).toEqual([])
})

test('only config.ts reads the environment', () => {
  const faults = violations(({ path, text }) =>
    /\b(process|Bun|import\.meta)\.env\b/.test(text) && !(path in READS_ENVIRONMENT) ? ['reads the environment'] : [],
  )
  expect(faults).toEqual([])
})

test('no file has a name that says nothing, is a barrel or has a default export', () => {
  const faults = violations(({ path, hasDefaultExport }) => [
    ...(/(^|\/)(utils?|common|helpers?|misc|shared|lib)(\/|\.ts$)/.test(path) ? ['has a name that says nothing'] : []),
    ...(basename(path) === 'index.ts' ? ['is a barrel'] : []),
    ...(hasDefaultExport ? ['has a default export'] : []),
  ])
  expect(faults).toEqual([])
})

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = (path: string) => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1 > MAX_LINES
  const files = [...sources.map(({ path }) => path), ...filesUnder('test').filter(isCode)]
  expect([...files, ...filesUnder('sql/functions'), ...filesUnder('sql/queries')].filter(long)).toEqual([])
})

test('SQL functions and hot reads take time and ids from their caller', () => {
  const forbidden =
    /\b(now|gen_random_uuid|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(|\bcurrent_(timestamp|date|time)\b/i
  const faults = [...filesUnder('sql/functions'), ...filesUnder('sql/queries')].filter((path) =>
    forbidden.test(withoutSqlComments(readFileSync(join(ROOT, path), 'utf8'))),
  )
  expect(faults).toEqual([])
})

test('every file of a hot read is loaded by its name, and every loaded name has a file', () => {
  const loaded = sources.flatMap(({ text }) =>
    [...text.matchAll(/statementFile(?:<[^(]*>)?\(\s*'([^']+)'/g)].map(([, name]) => name),
  )
  const files = filesUnder('sql/queries').map((path) => basename(path, '.sql'))
  expect(files.filter((name) => !loaded.includes(name))).toEqual([])
  expect(loaded.filter((name) => name && !files.includes(name))).toEqual([])
})

const withoutSqlComments = (sql: string) => sql.replace(/--.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')
