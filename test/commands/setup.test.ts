// `hearth setup`: the connections that it leaves free are computed from what processes open, and --print shows everything.
import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { connectionsOfServer } from '../../src/commands/doctor/stores.ts'
import { connectionsOfSet, fits, poolSizeFor } from '../../src/commands/setup/connections.ts'
import { openWritten } from '../../src/commands/setup/saved-files.ts'
import { readConfig } from '../../src/config.ts'
import { connectionsOfPools, openDatabase } from '../../src/platform/postgres/open-database.ts'
import { ROOT } from '../support/imports.ts'
import { testSql } from '../support/database.ts'
import { adminUrl } from '../support/stores.ts'

const setup = async (...options: string[]) => {
  const child = Bun.spawn([process.execPath, join(ROOT, 'src/cli.ts'), 'setup', ...options], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  return { code, output, errors }
}
const ANSWERS = ['--name', 'Maple & Beam', '--domain', 'maple.example']

test('two servers and the workers leave a fifth of Debian’s connections free, with the largest pools that do', () => {
  expect(poolSizeFor(100)).toBe(4)
  expect(connectionsOfSet(4)).toBeLessThanOrEqual(80)
  expect(connectionsOfSet(5)).toBeGreaterThan(80)
  expect(poolSizeFor(1000)).toBe(8)
  expect([poolSizeFor(20), fits(1, 20)]).toEqual([1, false])
})

test('the pools of a process open as many connections as are counted for them, and doctor counts the same for a server', async () => {
  const admin = testSql(adminUrl, 1)
  const database = openDatabase({
    url: adminUrl,
    readConnections: 3,
    writeConnections: 3,
    statementTimeoutMs: 5000,
    waitLimitMs: 5000,
    applicationName: 'hearth-counted',
  })
  await database.warmUp()
  await Promise.all([database.read.ping(), database.write.ping()])
  const [found] = await admin<{ count: number }[]>`
    select count(*)::int from pg_stat_activity where application_name = 'hearth-counted'`
  await database.close()
  await admin.end()
  expect(found?.count).toBe(connectionsOfPools(3))
  const config = readConfig({ DATABASE_URL: adminUrl, REDIS_URL: 'redis://localhost', DATABASE_CONNECTIONS: '3' })
  expect(connectionsOfServer(config)).toBe(connectionsOfPools(3) + 1)
})

test('--print shows every step and every file without a secret, and needs no root', async () => {
  const { code, output, errors } = await setup(...ANSWERS, '--print')
  expect([code, errors]).toEqual([0, ''])
  for (const path of [
    '/etc/hearth/hearth.env (mode 600)',
    '/etc/systemd/system/hearth-server@.service',
    '/etc/systemd/system/hearth-workers.service',
    '/etc/systemd/system/hearth-backup.timer',
    '/etc/caddy/Caddyfile',
    '/etc/pgbackrest.conf',
    '/usr/local/bin/hearth (mode 755)',
  ])
    expect(output).toContain(`# ${path}`)
  expect(output).toContain('HEARTH_SECRET=(generated)')
  expect(output).toContain('src/cli.ts work --together')
  expect(output).toContain('\nmaple.example {\n')
})

test.each<[options: string[], message: string]>([
  [['--print', '--name', 'Maple'], '--domain is missing, such as --domain "maple.example".'],
  [['--print', '--domain', 'maple.example'], '--name is missing, such as --name "Maple & Beam".'],
  [
    ['--print', '--name', 'Maple', '--domain', 'https://maple.example/'],
    '--domain must be a domain such as maple.example',
  ],
  [[...ANSWERS, '--country', 'FR', '--print'], '--country must be US or CA, not "FR"'],
])('%p is refused in one line', async (options, message) => {
  const { code, errors } = await setup(...options)
  expect([code, errors.trim().split('\n').length]).toEqual([1, 1])
  expect(errors).toContain(message)
})

test('a file of the package and one that setup wrote are replaced; one that was edited or removed is left', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-saved-'))
  try {
    const path = join(folder, 'a/settings')
    const record = join(folder, 'record.json')
    const save = (text: string, shipped = new Map<string, string>()) =>
      openWritten(record, shipped).outcomeOf({ path, mode: 0o600, text, isSecret: true }).message
    expect(save('A=1\n')).toBe('written')
    expect([statSync(path).mode & 0o777, existsSync(`${path}.new`)]).toEqual([0o600, false])
    expect(save('A=1\n')).toBe('as it should be')
    expect(save('A=2\n')).toStartWith('brought up to date')
    writeFileSync(path, 'A=a secret\nB=1\n')
    expect(save('A=3\n')).toBe('edited, and kept; it has: A | B; setup would write: A')
    expect(readFileSync(path, 'utf8')).toBe('A=a secret\nB=1\n')
    rmSync(path)
    expect(save('A=3\n')).toStartWith('removed since, and not written again')
    rmSync(record)
    writeFileSync(path, 'of the package\n')
    const sum = new Bun.CryptoHasher('md5').update('of the package\n').digest('hex')
    expect(save('A=3\n')).toStartWith('edited, and kept')
    expect(save('A=3\n', new Map([[path, sum]]))).toBe('written')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
