// Every scenario of the benchmarks, with the least data and time: statements, servers and requests that no longer fit each other
// are found here instead of on the next quiet machine.
import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Report } from '../../bench/support/result.ts'

const ROOT = join(import.meta.dir, '../..')
const LIMIT_MS = 600_000

const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
// PostgreSQL's user enters the folder.
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  'every scenario of the benchmarks runs and yields a value in each row',
  async () => {
    const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env
    const run = Bun.spawn([process.execPath, 'bench/run.ts', '--smoke'], {
      cwd: ROOT,
      env: { ...env, HEARTH_BENCH_DIR: folder },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const log = await run.stderr.text()
    const failures = log.split('\n').filter((line) => / failed: |^FAILED/.test(line))
    expect(failures).toEqual([])
    const { rows } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
    const scenarios = [...new Bun.Glob('*.ts').scanSync(join(ROOT, 'bench/scenarios'))].map((file) =>
      file.replace('.ts', ''),
    )
    expect(new Set(rows.map(({ scenario = '' }) => scenario))).toEqual(new Set(scenarios))
    expect(await run.exited).toBe(0)
  },
  LIMIT_MS,
)
