// The commands in the documents work as they stand there.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findFreePort } from '../../src/local/ports.ts'
import { CODE_BLOCKS, DOCUMENTS, ROOT, readDocument } from '../support/documents.ts'
import { newFolder, removeFolders, startUp, stopRunning } from '../support/running-up.ts'

/** Blocks that are not run here, by what stands behind `sh` or instead of it, and why. */
const NOT_RUN: Record<string, string> = {
  '': 'no command: a drawing, a map of folders, a listing',
  html: 'no command: a part of a page',
  js: 'needs a bucket; test/features/files/files/direct-uploads.test.ts does the same',
  json: 'no command: a part of a file',
  'sh root':
    'changes the services of the machine; test/ops/setup.test.ts and test/system/backup.test.ts do the same elsewhere',
  'sh suite': 'test/commands/up/up.test.ts starts it; the tests are this run',
  'sh listens': 'runs until it is stopped; test/commands/webhooks.test.ts starts it',
}

const home = newFolder()
let port = 0

beforeAll(async () => {
  port = await findFreePort()
  const up = startUp(home, { PORT: String(port) })
  await up.printed('# Book that time')
  if (Bun.which('curl')) return
  const folder = join(home, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/test/support/curl.ts' "$@"\n`)
  chmodSync(join(folder, 'curl'), 0o755)
}, 120_000)
afterAll(async () => {
  await stopRunning()
  removeFolders()
})

test('every block of a document is run, or has a known reason not to be', () => {
  const languages = new Set(CODE_BLOCKS.map(({ language }) => language))
  expect([...languages].filter((language) => language !== 'sh').sort()).toEqual(Object.keys(NOT_RUN).sort())
})

test('no unmarked block contains a command', () => {
  const commands = /^\s*(\$ )?(npm|npx|node|bun|hearth|curl|docker|kubectl|psql|sh|sudo|systemctl|export) /m
  const hidden = CODE_BLOCKS.filter(({ language, text }) => !language.startsWith('sh') && commands.test(text))
  expect(hidden).toEqual([])
})

for (const { document, line, text } of CODE_BLOCKS.filter(({ language }) => language === 'sh'))
  test(`the commands of ${document}, line ${line}, work as they stand there`, async () => {
    const commands = text.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    const child = Bun.spawn(['bash', '-euc', commands], {
      cwd: ROOT,
      env: { ...process.env, HEARTH_HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH']}` },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
    expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' })
    expect(output).not.toBe('')
    expect(output).not.toContain('"error"')
  }, 60_000)

/** Commands of the table that run until they are stopped, or fill an empty database: tests of their own start them. */
const RUNS_ON = /^hearth (up|serve|work \[actor…\]|seed|webhooks listen|mcp)/

test('every command of the table of commands works as it is printed, with the placeholders filled in', async () => {
  const table = readDocument('docs/operators/commands.md')
  const commands = Array.from(table.matchAll(/`(hearth [^`]+)`/g), ([, command = '']) => command).filter(
    (command) => command !== 'hearth <command>' && !RUNS_ON.test(command),
  )
  const run = async (command: string) => {
    const child = Bun.spawn(['bash', '-c', command.replace(/^hearth/, `node '${join(ROOT, 'bin/hearth.mjs')}'`)], {
      cwd: home,
      env: { ...process.env, HEARTH_HOME: home },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
    return { command, code, output, errors }
  }
  const idIn = async (list: string) =>
    (JSON.parse((await run(`hearth ${list} --json`)).output) as { id: string }[]).at(-1)?.id
  const { pro } = (await Bun.file(join(home, 'demo.json')).json()) as { pro: { slug: string } }
  writeFileSync(
    join(home, 'pros.csv'),
    'external_id,business,email,place\nimported-1,Elm Works,elm@example.com,"Columbus, OH"\n',
  )
  writeFileSync(join(home, 'lines.txt'), 'Drain jetting | flat | 90 | hydro jetting\n')
  await run('hearth keys create --preset full-server --owner rotated@example.com')
  for (const command of commands) {
    const [, noun = ''] = command.split(' ')
    const id = noun === 'keys' || noun === 'reviews' ? await idIn(`${noun} list`) : undefined
    const values: Record<string, string> = {
      '<pro>': pro.slug,
      '<slug>': pro.slug,
      '<csv>': 'pros.csv',
      '<tasks>': '10',
      '<invoice>': 'INV-1',
      '<text>': "'Not about the work.'",
      '<email>': 'someone@example.com',
      '<address>': 'someone@example.com',
      '<id>': id ?? '',
      '<kind>': 'terms',
      '<file>': join(ROOT, 'SECURITY.md'),
    }
    const filled = command.replaceAll(/<[a-z]+>/g, (name) => values[name] ?? name)
    expect(await run(filled)).toMatchObject({ command: filled, code: 0, errors: '' })
  }
  expect(commands.length).toBeGreaterThan(15)
}, 240_000)

/** The words of each command that stands in a document, in a block or in a sentence: `hearth keys create`. */
const named = (pattern: RegExp) =>
  new Set(
    DOCUMENTS.filter((document) => document !== 'CHANGELOG.md').flatMap((document) =>
      Array.from(readDocument(document).matchAll(pattern), ([, words = '']) => words),
    ),
  )

test('every npm script that a document names exists', async () => {
  const { scripts } = (await Bun.file(join(ROOT, 'package.json')).json()) as { scripts: Record<string, string> }
  const names = named(/npm run ([a-z][a-z-]*)/g)
  expect([...names].filter((name) => !scripts[name])).toEqual([])
  expect(names.size).toBeGreaterThan(6)
})

test('every hearth command that a document names exists', async () => {
  const commands = [...named(/`(?:npx )?hearth ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)]
  expect(commands.length).toBeGreaterThan(20)
  const help = async (...words: string[]) =>
    Bun.$`${process.execPath} ${join(ROOT, 'src/cli.ts')} ${words} --help`.cwd(ROOT).quiet().text()
  const subcommands = (text: string) =>
    new Set(Array.from((text.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm), ([, name = '']) => name))
  const top = subcommands(await help())
  const groups = [...new Set(commands.map((words) => words.split(' ')[0] ?? ''))]
  expect(groups.filter((name) => !top.has(name))).toEqual([])
  const inside = new Map(await Promise.all(groups.map(async (name) => [name, subcommands(await help(name))] as const)))
  const missing = commands.filter((words) => {
    const [group = '', name] = words.split(' ')
    const known = inside.get(group)
    // A group without commands of its own takes arguments, and `hearth work` takes both.
    return name !== undefined && known !== undefined && known.size > 1 && group !== 'work' && !known.has(name)
  })
  expect(missing).toEqual([])
}, 60_000)

test('every file and folder of ops that a document names exists', () => {
  const paths = [...named(/(?<![\w./-])(ops\/[\w./-]*\w)/g)]
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  expect(paths.length).toBeGreaterThan(5)
})
