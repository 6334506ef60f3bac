// The scripts of pages: type-checked for browsers, and bundled before the first request.
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { bundleAll, openBundles } from '../../../src/web/ui/bundles.ts'
import { ROOT, filesUnder, readSources } from '../../support/imports.ts'

const SCRIPTS = 'src/web/ui/assets/scripts/'
const isClientScript = (path: string) => path.startsWith(SCRIPTS)

const folder = mkdtempSync(join(tmpdir(), 'hearth-scripts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the check of types says of a script, or of those in a folder: oxlint as in `npm run check`, without its rules. */
/** What the check says, empty without an error. */
async function typeErrorsOf(path: string): Promise<string> {
  const oxlint = [process.execPath, '--bun', join(ROOT, 'node_modules/.bin/oxlint')]
  const child = Bun.spawn([...oxlint, '--allow=all', '--type-check', '--format=unix', path], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const [said, code] = await Promise.all([child.stdout.text(), child.exited])
  // A check that ends without having checked is no good news.
  expect([code, said === '']).toEqual(code === 0 ? [0, true] : [1, false])
  return said
}

/** What the check would say of another script. */
async function typeErrorsIn(script: string): Promise<string> {
  const project = mkdtempSync(join(folder, 'project-'))
  const options = { extends: join(ROOT, SCRIPTS, 'tsconfig.json'), include: ['.'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(options))
  writeFileSync(join(project, 'script.ts'), script)
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'))
  return await typeErrorsOf(join(project, 'script.ts'))
}

test('the scripts of pages have no type error', async () => {
  expect(await typeErrorsOf(SCRIPTS)).toBe('')
}, 60_000)

test('a script that uses the page rightly has no type error', async () => {
  const script =
    "export const title = document.querySelector<HTMLElement>('h1')?.dataset['of'] ?? new uPlot({} as never).width"
  expect(await typeErrorsIn(script)).toBe('')
}, 60_000)

test.each([
  ['a property that elements do not have', "document.body.htmlText = ''", "Property 'htmlText' does not exist"],
  ['an element that may be missing', "document.querySelector('p').remove()", 'is possibly null'],
  ['what only the server has', 'export const bun = Bun.version', "Cannot find name 'Bun'"],
  ['a value without a type', 'export const twice = (value) => value', 'implicitly has an'],
])(
  '%s is a type error',
  async (_, script, error) => {
    expect((await typeErrorsIn(script)).replaceAll("'null'", 'null')).toContain(error)
  },
  60_000,
)

test('the check of page scripts reads each of them, and the check of the server reads no page script', () => {
  const files = filesUnder('src/web/ui/assets')
  expect(files.filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !isClientScript(path))).toEqual([])
  expect(files.filter((path) => /\.[cm]?jsx?$/.test(path))).toEqual([])
  // oxlint takes the types of a file from the nearest project.
  expect(readFileSync(join(ROOT, SCRIPTS, 'tsconfig.json'), 'utf8')).toContain('"include": ["."')
  expect(readFileSync(join(ROOT, 'test/check.ts'), 'utf8')).toContain("'--type-check'")
})

/** Sentences that pages and the widget share, and the address of a mark; they import nothing of the program (the layers of test/architecture.test.ts). */
const isShared = (path: string) => /^src\/platform\/(text\/(price|cancelling)|style\/letter)\.ts$/.test(path)

test('the program and the scripts of pages import nothing of each other but what they share', () => {
  const faults = readSources(['src', 'workers']).flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ target, isOurs }) =>
          isOurs && /\.tsx?$/.test(target) && !isShared(target) && isClientScript(target) !== isClientScript(path),
      )
      .map(({ target }) => `${path} imports ${target}`),
  )
  expect(faults).toEqual([])
})

test('the image has the same bundles that a checkout makes at its start', async () => {
  const built = join(folder, 'built')
  const child = Bun.spawn([process.execPath, join(ROOT, 'src/web/ui/build-assets.ts'), built], { stderr: 'inherit' })
  expect(await child.exited).toBe(0)
  const bundles = await bundleAll()
  expect(Object.fromEntries(await openBundles(built))).toEqual(Object.fromEntries(bundles))
  expect([...(await openBundles(join(folder, 'none')))]).toEqual([...bundles])
  for (const [name, text] of bundles) expect([name, text.length > 50]).toEqual([name, true])
  // A folder that is left over in a checkout would hide later changes.
  expect(await Bun.file(join(ROOT, 'src/web/ui/assets/built/hearth.css')).exists()).toBe(false)
})

test('scripts add no names to the page, and each stays within its budget', async () => {
  const bundles = [...(await bundleAll())].filter(([name]) => name.endsWith('.js'))
  expect(bundles.length).toBeGreaterThan(7)
  for (const [name, text] of bundles) {
    expect([name, text.trim()]).toEqual([name, expect.stringMatching(/^\(\(\)=>\{[\s\S]*\}\)\(\);$/)])
    const budget = name === 'widget.js' ? 6000 : 2000
    expect([name, Bun.gzipSync(text).length < budget]).toEqual([name, true])
  }
})
