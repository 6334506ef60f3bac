// The container image, built by the Dockerfile's own steps: it serves, works and migrates without a writable file system, and as
// an unprivileged user where root runs the tests.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { findFreePort } from '../../src/local/ports.ts'
import { runTool } from '../../src/local/processes.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { databaseUrl, testSql, withoutSocket } from '../support/database.ts'
import { readDockerfile } from '../support/dockerfile.ts'
import { type Image, buildImage, canEnter, runIn } from '../support/image.ts'
import { readSources } from '../support/imports.ts'
import { pixels } from '../support/hostile-files.ts'
import { ROOT } from '../support/imports.ts'
import { IMAGE_START_MS } from '../support/base-images.ts'
import { adminUrl, testRedisUrl } from '../support/stores.ts'

const DATABASE = `test_image_${process.pid}`
/** The size of the packages and files that the image adds to its base, and its total size with Bun. */
/** libvips and what it is linked to take 20 MB of both. */
const MAX_MEGABYTES = { added: 100, whole: 224 }

let image: Image
let remove: () => void
let env: Record<string, string>

beforeAll(async () => {
  ;({ image, remove } = await buildImage())
  const admin = testSql(adminUrl, 1)
  await admin.unsafe(`create database ${DATABASE}`)
  await admin.end()
  env = {
    DATABASE_URL: withoutSocket(databaseUrl(DATABASE)),
    REDIS_URL: withoutSocket(testRedisUrl),
    HEARTH_SECRET: 'a secret of the image that is tested here',
    BASE_URL: 'https://hearth.example.com',
  }
  // Like a read-only root file system: its user cannot write to any file.
  chmodSync(join(image.root, 'tmp'), 0o555)
}, IMAGE_START_MS)
afterAll(async () => {
  remove?.()
  const admin = testSql(adminUrl, 1)
  await admin.unsafe(`drop database if exists ${DATABASE} with (force)`)
  await admin.end()
}, 120_000)

const run = (command: string[], more: Record<string, string> = {}) =>
  runIn(image, [...image.entrypoint, ...command], { ...env, ...more })

interface ImageFile {
  bytes: number
  mode: number
  owner: string
  path: string
}

/** The files under a folder of the image. */
async function filesIn(folder: string): Promise<ImageFile[]> {
  const { output } = await runTool(['find', folder, '-xdev', '-type', 'f', '-printf', '%s %m %U %p\\n'])
  return [...output.matchAll(/^(\d+) (\d+) (\d+) (.+)$/gm)].map(([, bytes, mode = '', owner = '', path = '']) => ({
    bytes: Number(bytes),
    mode: Number.parseInt(mode, 8),
    owner,
    path,
  }))
}

const megabytesIn = async (folder: string) => (await filesIn(folder)).reduce((sum, { bytes }) => sum + bytes, 0) / 1e6

describe('the image', () => {
  test('uses the Bun version of package.json in every stage', () => {
    const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      packageManager: string
    }
    const bases = readDockerfile(join(ROOT, 'Dockerfile')).flatMap((step) => (step.kind === 'FROM' ? [step.image] : []))
    expect(bases.length).toBeGreaterThan(0)
    for (const base of bases) expect(base).toStartWith(`oven/${packageManager.replace('@', ':')}-`)
  })

  test('contains the program without build tools and tests, within its size limit', async () => {
    const app = join(image.root, image.workdir)
    expect(readdirSync(app).toSorted()).toEqual(['LICENSE', 'node_modules', 'package.json', 'sql', 'src', 'workers'])
    const modules = join(app, 'node_modules')
    for (const name of ['typescript', 'oxlint', 'playwright-core', 'bun-types'])
      expect(existsSync(join(modules, name))).toBe(false)
    expect([...new Bun.Glob('**/*.{map,d.ts}').scanSync(modules)]).toEqual([])
    expect(await megabytesIn(app)).toBeLessThan(MAX_MEGABYTES.added)
    expect(await megabytesIn(image.root)).toBeLessThan(MAX_MEGABYTES.whole)
  })

  test('has no shell, no setuid files and no files that its user may change', async () => {
    for (const folder of ['bin', 'sbin', 'usr/bin', 'usr/sbin'])
      for (const shell of ['sh', 'bash', 'dash', 'busybox'])
        expect(existsSync(join(image.root, folder, shell))).toBe(false)
    const files = await filesIn(image.root)
    expect(files.length).toBeGreaterThan(1000)
    const isOpen = ({ mode, owner, path }: ImageFile) =>
      (mode & 0o6000) !== 0 || owner === '65532' || ((mode & 0o002) !== 0 && !path.endsWith('/dev/null'))
    expect(files.filter(isOpen)).toEqual([])
  })

  test('runs as an unprivileged user and declares its ports', () => {
    expect(image.user).toBe('65532:65532')
    expect(image.ports).toEqual([3000, 9464])
  })
})

/** Where this machine does not let its root enter another root, and for others than root, the commands run as this user. */
const runsAsItsUser = canEnter() && process.getuid?.() === 0

describe('a container of it', () => {
  test('migrates an empty database, and changes nothing the second time', async () => {
    const first = run(['migrate'])
    expect(await first.stdout.text()).toContain('applied migrations/0061_baseline.sql')
    expect(await first.exited).toBe(0)
    const second = run(['migrate'])
    expect(await second.stdout.text()).toBe('The database is up to date.\n')
    expect(await second.exited).toBe(0)
  }, 60_000)

  test.each([['serve'], ['work']])(
    `is healthy and ready after \`%s\`${runsAsItsUser ? ' as its unprivileged user' : ''}, and stops on SIGTERM`,
    async (command) => {
      const [port, opsPort] = [String(await findFreePort()), String(await findFreePort())]
      const ports = {
        PORT: port,
        OPS_PORT: opsPort,
        WORKER_OPS_PORT: opsPort,
        HOST: '127.0.0.1',
        OPS_HOST: '127.0.0.1',
      }
      const container = run(command === image.command[0] ? image.command : [command], ports)
      const output = container.stdout.text()
      const isReady = () =>
        fetch(`http://127.0.0.1:${opsPort}/readyz`)
          .then(({ ok }) => ok)
          .catch(() => false)
      if (!(await waitUntil(isReady, 40_000, 100))) container.kill('SIGKILL')
      const check = () => runIn(image, image.healthcheck, { ...env, ...ports })
      expect(await check().exited).toBe(0)
      if (command === 'serve') expect((await fetch(`http://127.0.0.1:${port}/api/v1/services`)).status).toBe(200)
      if (runsAsItsUser) expect(readFileSync(`/proc/${container.pid}/status`, 'utf8')).toMatch(/^Uid:\s65532\s65532/m)
      container.kill('SIGTERM')
      expect(await container.exited).toBe(0)
      expect(await output).not.toContain('"level":"error"')
      expect(await check().exited).toBe(1)
    },
    90_000,
  )

  test('decodes pictures with the libraries that it has', async () => {
    const picture = (await pixels().jpeg().toBuffer()).toString('base64')
    const program = `
      const { allowOnlyKnownFormats, decode } = await import('./src/platform/pictures/decode.ts')
      allowOnlyKnownFormats()
      const bytes = Uint8Array.fromBase64('${picture}')
      console.log(JSON.stringify((await decode({ bytes, mayBeDocument: false })).variants?.length))`
    const container = runIn(image, ['bun', '-e', program], env)
    expect([(await container.stdout.text()).trim(), await container.exited]).toEqual(['6', 0])
  }, 60_000)

  test('draws share pictures with all of the letters', async () => {
    const program = `
      const { allowOnlyDrawings, drawShareCard } = await import('./src/platform/pictures/share/draw.ts')
      allowOnlyDrawings()
      const card = { site: { name: 'Maple & Beam', accent: '#1b5a9e', letter: 'M' }, heading: 'Škoda & Sons', price: '$95', rating: null, lines: ['Austin, TX'], photo: null }
      console.log((await drawShareCard(card)).byteLength > 5000)`
    const container = runIn(image, ['bun', '-e', program], env)
    expect([(await container.stdout.text()).trim(), await container.exited]).toEqual(['true', 0])
  }, 60_000)

  test('loads every package that the program names, though half of their files are left out', async () => {
    const sources = readSources(['src', 'workers']).filter(({ path }) => !path.includes('/assets/scripts/'))
    const named = /^(?:import|export) (?!type )[^;]*?from '([^.'][^']*)'|import\('([^.'][^']*)'\)/gm
    const all = sources.flatMap(({ text }) => [...text.matchAll(named)].map(([, fixed, lazy]) => fixed ?? lazy ?? ''))
    const packages = [...new Set(all)].filter((name) => /^[@a-z][\w./-]*$/.test(name) && name !== 'bun')
    expect(packages.length).toBeGreaterThan(30)
    const program = `
      const missing = []
      for (const name of ${JSON.stringify(packages)})
        await import(name).catch((error) => missing.push(name + ': ' + error.message))
      console.log(JSON.stringify(missing))
      process.exit()`
    const container = runIn(image, ['bun', '-e', program], env)
    expect(await container.stdout.text()).toBe('[]\n')
  }, 60_000)

  test('passes its own health check', () => {
    expect(image.healthcheck[0]).toBe('bun')
    expect(image.env).toMatchObject({ OPS_PORT: '9464', WORKER_OPS_PORT: '9464', HEARTH_ENV: 'production' })
  })

  test('does not start in production without a secret', async () => {
    const container = run(['serve'], { HEARTH_SECRET: '' })
    expect(await container.stderr.text()).toContain('HEARTH_SECRET must have at least 32 characters')
    expect(await container.exited).toBe(1)
  }, 30_000)
})
