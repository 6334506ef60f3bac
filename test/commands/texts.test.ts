// `hearth texts`: a file of Markdown becomes the next version of a text, and can be printed again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'bun:test'

import { cloneDatabase } from '../support/database.ts'
import { opened } from '../support/fixture.ts'
import { testRedisUrl } from '../support/stores.ts'

const database = await opened(cloneDatabase('migrated'), 'drop')
const folder = mkdtempSync(join(tmpdir(), 'hearth-texts-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...words: string[]) {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'texts', ...words], {
    env: { ...process.env, DATABASE_URL: database.url, REDIS_URL: testRedisUrl },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, said: said.trim(), complained: complained.trim() }
}
function fileOf(content: string): string {
  const path = join(folder, 'text.md')
  writeFileSync(path, content)
  return path
}

test('what is published is printed again, and the same a second time is refused', async () => {
  expect((await run('export', 'terms')).complained).toContain('No version of terms is published.')
  const file = fileOf('# Scope\n\nAll work.\n')
  expect((await run('publish', 'terms', file)).said).toMatch(/^Published as version 1: http:.*\/terms$/)
  expect((await run('export', 'terms')).said).toBe('# Scope\n\nAll work.')
  expect(await run('publish', 'terms', file)).toMatchObject({
    code: 1,
    complained: 'hearth: content is what is in force already: change it first',
  })
  expect((await run('publish', 'terms', fileOf('Most work.'))).said).toContain('version 2')
})

test.each([
  [['publish', 'rules', '/dev/null'], '<text> must be one of terms, privacy, imprint, not "rules".'],
  [['publish', 'terms', '/nowhere.md'], '/nowhere.md cannot be read'],
  [['publish', 'terms', 'LONG'], 'content must'],
])('%p is refused in one line', async (words, complaint) => {
  const { code, complained } = await run(...words.map((word) => (word === 'LONG' ? fileOf('a'.repeat(60_001)) : word)))
  expect([code, complained]).toEqual([1, expect.stringContaining(complaint)])
  expect(complained).not.toContain('\n')
})
