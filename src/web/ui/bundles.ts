// The style sheets and scripts of the pages, each as one file. The image has them built (build-assets.ts); in a checkout they are
// bundled when a server starts, in some 20 ms.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

import { withTokens } from '../../platform/style/tokens.ts'

const ASSETS = join(import.meta.dir, 'assets')
/** Where the image has the bundles. */
export const BUILT = join(ASSETS, 'built')

/** Each consists of the files that it imports. Bun's own bundler of sheets replaces `light-dark()`, so it has no part in this. */
const SHEETS = [
  'booking.css',
  'console.css',
  'hearth.css',
  'operator.css',
  'ops.css',
  'reference.css',
  'search.css',
] as const
/** Sheets of pages that libraries draw, without the sheet of the tokens: they have the tokens' values. */
const ALONE = ['api-docs.css', 'queues.css'] as const
const SCRIPTS = [
  'address.js',
  'brand.js',
  'chart.js',
  'console.js',
  'form.js',
  'ops.js',
  'pay.js',
  'preview.js',
  'print.js',
  'questions.js',
  'quote.js',
  'search.js',
  'try-operation.js',
  'upload.js',
  'widget.js',
] as const

export type Bundle = (typeof SHEETS | typeof ALONE | typeof SCRIPTS)[number]

/** Everything in the form that browsers load. */
export async function bundleAll(): Promise<Map<string, string>> {
  const sheets = SHEETS.map((name) => [name, sheetOf(join(ASSETS, 'styles', name))] as const)
  const alone = ALONE.map((name) => [name, withTokens(sheetOf(join(ASSETS, 'styles', name)))] as const)
  return new Map([...sheets, ...alone, ...(await bundleScripts())])
}

/** The bundles of this program: those of the folder, if it is there. */
export const openBundles = async (folder = BUILT): Promise<Map<string, string>> =>
  existsSync(folder)
    ? new Map([...SHEETS, ...ALONE, ...SCRIPTS].map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
    : await bundleAll()

/** A sheet with the sheets that it imports, without comments and indentation. */
function sheetOf(path: string): string {
  const text = readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const whole = text.replaceAll(/^@import '([^']+)';$/gm, (_, name: string) => sheetOf(resolve(dirname(path), name)))
  return whole.replaceAll(/\n\s*/g, '\n').trim()
}

/** Each script in a function of its own, so that it adds no names to the page. */
async function bundleScripts(): Promise<[name: string, text: string][]> {
  const { outputs } = await Bun.build({
    entrypoints: SCRIPTS.map((name) => join(ASSETS, 'scripts', name.replace(/js$/, 'ts'))),
    format: 'iife',
    minify: true,
    plugins: [{ name: 'sheets', setup: (build) => void build.onLoad({ filter: /\.css$/ }, loadSheet) }],
  })
  return await Promise.all(outputs.map(async (output) => [basename(output.path), await output.text()]))
}

/** A sheet as a script's text. It stands alone in other people's pages, so it has the tokens' values, and no space that says nothing. */
const loadSheet = ({ path }: { path: string }) => ({
  contents: withTokens(sheetOf(path))
    .replaceAll(/\s*([{};,>])\s*|(?<=:)\s+/g, '$1')
    .replaceAll(';}', '}')
    .replaceAll(/(?<=[:( ])0\./g, '.'),
  loader: 'text' as const,
})
