// `hearth setup` on a bare Debian: it makes everything that servers and workers need, and a second run changes nothing that was edited.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { FIRST_CLUSTER } from '../../src/commands/setup/database.ts'
import { backupFiles, serviceFiles } from '../../src/commands/setup/units.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { runTool } from '../../src/local/processes.ts'
import { INSTALL_MS, ensurePrograms } from '../support/apt-programs.ts'
import { type BareMachine, MACHINE_START_MS, startBareMachine } from '../support/bare-machine.ts'
import { ROOT } from '../support/imports.ts'

const ANSWERS = `--name 'Maple & Beam' --domain maple.example --country CA --operator you@maple.example`

let machine: BareMachine
let first: string

beforeAll(async () => {
  machine = await startBareMachine()
  const { code, output } = await machine.setup(ANSWERS)
  first = output
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
}, MACHINE_START_MS)
afterAll(() => machine?.close())

const outputOf = async (command: string) => {
  const { code, output } = await machine.run(command)
  return code === 0 ? output.trim() : `${command} ended with ${code}: ${output}`
}

describe('a bare Debian after `hearth setup`', () => {
  test('has said in one line what each step did', () => {
    const subjects = [
      'packages',
      'user',
      'database',
      'file',
      'connections',
      'backup',
      'schema',
      'name',
      'services',
      'operator',
      'next',
    ]
    const [lines, link] = [first.trim().split('\n').slice(0, -2), first.trim().split('\n').at(-1)]
    expect(link).toMatch(/^https:\/\/maple\.example\/console\/password\/[\w-]{43}$/)
    expect(lines.filter((line) => !subjects.some((subject) => line.startsWith(`${subject} `)))).toEqual([])
    for (const subject of subjects) expect(lines.some((line) => line.startsWith(`${subject} `))).toBe(true)
    expect(first).toContain('made role hearth, database hearth, extension postgis, extension btree_gist')
    expect(first).toContain('two servers and the workers take at most 71 of 100')
  })

  test('has settings that only root can read, with a secret of its own', async () => {
    expect(await outputOf('stat -c "%a %U" /etc/hearth/hearth.env')).toBe('600 root')
    const settings = await outputOf('cat /etc/hearth/hearth.env')
    expect(settings).toMatch(/^HEARTH_SECRET=[\w+/]{64}$/m)
    for (const line of ['HEARTH_ENV=production', 'BASE_URL=https://maple.example', 'TRUSTED_PROXIES=127.0.0.1'])
      expect(settings.split('\n')).toContain(line)
  })

  test('has a database whose owner is no superuser and needs no password', async () => {
    const psql = 'setpriv --reuid=hearth --regid=hearth --clear-groups psql -h /var/run/postgresql -d hearth -At -c'
    expect(await outputOf(`${psql} "select rolsuper from pg_roles where rolname = current_user"`)).toBe('f')
    expect(
      await outputOf(`${psql} "select pg_encoding_to_char(encoding) from pg_database where datname = 'hearth'"`),
    ).toBe('UTF8')
    expect(await outputOf('hearth migrate')).toBe('The database is up to date.')
    expect(JSON.parse(await outputOf('hearth marketplace export'))).toMatchObject({ name: 'Maple & Beam' })
  })

  test('archives the changes of PostgreSQL, and backs up by the command of its timer', async () => {
    const command = await outputOf(`sed -n 's/^ExecStart=//p' /etc/systemd/system/hearth-backup.service`)
    expect(await outputOf(`setpriv --reuid=postgres --regid=postgres --init-groups ${command}`)).toContain(
      'backup command end: completed',
    )
  }, 60_000)

  test('has a site that Caddy accepts', async () => {
    const check = 'HOME=/tmp caddy validate --config /etc/caddy/Caddyfile --adapter caddyfile'
    expect(await outputOf(check)).toContain('Valid configuration')
  }, 30_000)

  test('serves and works by the commands of its units, as their user', async () => {
    await outputOf('redis-server --daemonize yes')
    await machine.start('hearth-server@.service')
    await machine.start('hearth-workers.service')
    const respondsOk = `bun -e "process.exit((await fetch('http://127.0.0.1:3000/readyz')).ok ? 0 : 1)"`
    const isReady = async () => (await machine.run(respondsOk)).code === 0
    if (!(await waitUntil(isReady, 60_000))) expect(await outputOf('cat /tmp/*.log')).toBe('')
    const workersLog = () => outputOf('cat /tmp/hearth-workers.service.log')
    expect(await waitUntil(async () => (await workersLog()).includes('"msg":"working"'), 60_000)).toBe(true)
    const { output: found } = await machine.run('hearth doctor')
    for (const check of [
      'PostgreSQL',
      'PostGIS',
      'connections',
      'Redis',
      'migrations',
      'relay-outbox',
      'sweep-expired',
    ])
      expect(found).toMatch(new RegExp(`^✓ ${check} `, 'm'))
    const page = `console.log(await (await fetch('http://127.0.0.1:3000/')).text())`
    expect(await outputOf(`bun -e "${page}"`)).toContain('Maple &amp; Beam')
    expect(await outputOf('hearth marketplace export')).toContain('"country": "CA"')
  }, 120_000)

  test('is the same after a second run', async () => {
    const files =
      'md5sum /etc/hearth/* /etc/systemd/system/hearth-* /usr/local/bin/hearth /etc/caddy/Caddyfile /etc/pgbackrest.conf /etc/postgresql/15/main/conf.d/*'
    const before = await outputOf(files)
    const { code, output } = await machine.setup()
    expect([code, output]).toEqual([
      0,
      expect.not.stringMatching(/written|made|installed [a-z]+,|restarted|applied/) as string,
    ])
    expect(await outputOf(files)).toBe(before)
  }, 60_000)

  test('follows other answers in files that were not edited', async () => {
    const { output } = await machine.setup('--domain beam.example')
    for (const path of ['/etc/hearth/hearth.env', '/etc/caddy/Caddyfile']) {
      expect(output).toContain(`${path}: brought up to date`)
      expect(await outputOf(`cat ${path}`)).toContain('beam.example')
    }
    await machine.setup('--domain maple.example')
    expect(await outputOf('cat /etc/caddy/Caddyfile')).not.toContain('beam.example')
  }, 60_000)

  test('keeps what an operator edited or removed, and says what differs', async () => {
    await machine.run(`
      sed -i 's/^DATABASE_CONNECTIONS=.*/DATABASE_CONNECTIONS=9/' /etc/hearth/hearth.env
      echo 'MAIL_FROM=Maple <hello@maple.example>' >> /etc/hearth/hearth.env
      echo 'MAIL_URL="smtp://me:it&secret@mail.example"' >> /etc/hearth/hearth.env
      sed -i 's/health_interval 2s/health_interval 5s/' /etc/caddy/Caddyfile
      rm /etc/systemd/system/hearth-backup.timer`)
    const files = 'md5sum /etc/hearth/* /etc/caddy/Caddyfile; ls /etc/systemd/system'
    const before = await outputOf(files)
    const { code, output } = await machine.setup(`--name 'Another Name'`)
    expect(code).toBe(0)
    expect(await outputOf(files)).toBe(before)
    expect(output).toContain(
      'hearth.env: edited, and kept; it has: DATABASE_CONNECTIONS | MAIL_FROM | MAIL_URL; setup would write: DATABASE_CONNECTIONS\n',
    )
    expect(output).not.toContain('it&secret')
    expect(output).toContain(
      'Caddyfile: edited, and kept; it has: health_interval 5s; setup would write: health_interval 2s\n',
    )
    expect(output).toContain('hearth-backup.timer: removed since, and not written again')
    expect(output).toContain('at most 151 of 100, which leaves too few: set DATABASE_CONNECTIONS=4\n')
    expect(output).toContain('Maple & Beam, which stays')
  }, 60_000)

  test('starts its services once, by systemd, without those that were removed', async () => {
    // Only what systemd is asked is checked here: it cannot run in this root file system.
    await machine.run(`
      mkdir -p /run/systemd/system
      printf '#!/bin/sh\\necho "$@" >> /tmp/asked\\n' > /usr/local/bin/systemctl && chmod +x /usr/local/bin/systemctl`)
    const { output } = await machine.setup()
    expect(output).toContain('running: hearth-server@3000.service, hearth-workers.service\n')
    expect(output).toMatch(/^next .*hearth users invite you@maple.example --role operator/m)
    const started = 'enable --now redis-server.service caddy.service hearth-server@3000.service hearth-workers.service'
    expect(await outputOf('cat /tmp/asked')).toBe(`daemon-reload\n${started}`)
    expect((await machine.setup()).output).toContain('were started before')
    expect(await outputOf('cat /tmp/asked')).toBe(`daemon-reload\n${started}\ndaemon-reload`)
    await machine.run('rm -r /run/systemd/system /usr/local/bin/systemctl')
  }, 60_000)
})

test('a step that fails says in one line what to do', async () => {
  const fails = async (command: string) => {
    const { code, output } = await machine.run(command)
    expect([
      code,
      output
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('hearth: ')).length,
    ]).toEqual([1, 1])
    return output.trim().split('\n').at(-1)
  }
  const setup = 'bun /opt/hearth/src/cli.ts setup'
  expect(await fails(`setpriv --reuid=hearth --regid=hearth --clear-groups ${setup}`)).toContain('as root')
  expect(await fails('setpriv --reuid=hearth --regid=hearth --clear-groups hearth doctor')).toContain(
    'run this as root',
  )
  await machine.run('mkdir /home/hearth && mount --bind /opt/hearth /home/hearth')
  expect(await fails('bun /home/hearth/src/cli.ts setup')).toContain('cannot read /home/hearth/src/cli.ts. Move Hearth')
  await machine.run('pg_ctlcluster 15 main stop -m fast; mv /var/lib/postgresql/15/main /var/lib/postgresql/15/lost')
  expect(await fails(setup)).toMatch(/pg_ctlcluster.* failed: .* → see \/var\/log\/postgresql/)
}, 60_000)

test(
  'systemd accepts the units',
  async () => {
    await ensurePrograms('systemd', ['systemd-analyze'])
    const folder = mkdtempSync(join(tmpdir(), 'hearth-units-'))
    try {
      const program = { bun: process.execPath, cli: join(ROOT, 'src/cli.ts') }
      const units = [...serviceFiles(program, 'maple.example'), ...backupFiles(FIRST_CLUSTER)].filter(({ path }) =>
        path.startsWith('/etc/systemd/system/'),
      )
      expect(units.length).toBe(4)
      for (const { path, text } of units)
        // A unit cannot be started whose program is missing: the backup's is another test's.
        writeFileSync(join(folder, basename(path)), text.replace('/usr/bin/pgbackrest', process.execPath))
      const names = units.map(({ path }) => join(folder, basename(path).replace('@.', '@3000.')))
      const { ok, output } = await runTool(['systemd-analyze', 'verify', '--man=no', ...names])
      // The verdict is about our units only; those of this machine may have faults.
      expect([ok, output.split('\n').filter((line) => line.includes('hearth'))]).toEqual([true, []])
      writeFileSync(join(folder, 'hearth-workers.service'), '[Service]\nExecStart=workers\nRestart=sometimes\n')
      expect(
        (await runTool(['systemd-analyze', 'verify', '--man=no', join(folder, 'hearth-workers.service')])).output,
      ).toContain('Failed to parse')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  INSTALL_MS,
)

test('the files of the backup are those of ops/backup', () => {
  const [settings, archive] = backupFiles(FIRST_CLUSTER).slice(-2)
  expect(settings?.text).toBe(readFileSync(join(ROOT, 'ops/backup/pgbackrest.conf'), 'utf8'))
  expect(archive?.text).toBe(readFileSync(join(ROOT, 'ops/backup/postgresql.conf'), 'utf8'))
})
