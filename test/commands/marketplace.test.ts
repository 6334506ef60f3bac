// Who the marketplace is, as a file: what is exported can be imported, and a second import changes nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'bun:test'

import { USUAL } from '../../src/features/upkeep/marketplace/schemas.ts'
import { cloneDatabase } from '../support/database.ts'
import { opened } from '../support/fixture.ts'
import { pixels } from '../support/hostile-files.ts'
import { SITE } from '../support/site.ts'
import { testRedisUrl } from '../support/stores.ts'

const database = await opened(cloneDatabase('migrated'), 'drop')
const folder = mkdtempSync(join(tmpdir(), 'hearth-marketplace-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...words: string[]) {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'marketplace', ...words], {
    env: { ...process.env, DATABASE_URL: database.url, REDIS_URL: testRedisUrl },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, said: said.trim(), complained: complained.trim() }
}
function fileOf(content: unknown): string {
  const path = join(folder, 'marketplace.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const { version: _, isOpen: __, ...texts } = SITE

test('before it has a name an export says so, and importing that changes nothing', async () => {
  const exported = JSON.parse((await run('export')).said) as object
  expect(exported).toEqual({
    name: 'Hearth',
    tagline: null,
    email: null,
    phone: null,
    address: null,
    accent: null,
    area: [],
    country: 'US',
    logo: null,
    icon: null,
    ...USUAL,
  })
  expect((await run('import', fileOf(exported))).said).toBe('Nothing has changed.')
})

test('an import changes what the file names, and a second one nothing', async () => {
  expect((await run('import', fileOf(texts))).said).toBe('Changed: name, tagline, email, phone, address, accent.')
  expect((await run('import', fileOf(texts))).said).toBe('Nothing has changed.')
  expect((await run('import', fileOf({ email: SITE.email.toUpperCase() }))).said).toBe('Nothing has changed.')
  expect((await run('import', fileOf({ phone: null }))).said).toBe('Changed: phone.')
  expect((await run('import', fileOf({ feeCents: 700, radiusMiles: 30 }))).said).toBe('Changed: radiusMiles, feeCents.')
  expect(JSON.parse((await run('export')).said)).toEqual({
    ...texts,
    phone: null,
    area: [],
    feeCents: 700,
    radiusMiles: 30,
  })
})

test('what cannot be read is refused with its field or line, and changes nothing', async () => {
  const before = (await run('export')).said
  for (const [content, complaint] of [
    [{ ...texts, email: 'hello' }, 'email'],
    [{ ...texts, name: '' }, 'name'],
    [{ feeCents: 49 }, 'feeCents'],
    [{ holdMinutes: 4 }, 'holdMinutes'],
    [{ minDepositPercentage: 50, maxDepositPercentage: 20 }, 'maxDepositPercentage'],
    [{ ...texts, colour: 'red' }, 'colour'],
    [{ area: [{ place: 'Nowhere at all', radiusMiles: 10 }] }, 'area.0.place is no place'],
    [{ area: [{ place: 'Here', radiusMiles: 0 }] }, 'area.0.radiusMiles'],
    ['{\n  "name": "Oak",\n}', 'line 3'],
  ] as const) {
    const { code, complained } = await run('import', fileOf(content))
    expect([code, complained]).toEqual([1, expect.stringContaining(complaint)])
    expect(complained.split('\n')).toHaveLength(1)
  }
  expect((await run('export')).said).toBe(before)
})

test('the area is part of the file, and an import of what was exported changes nothing', async () => {
  const area = [{ place: 'Columbus, OH', latitude: 39.96118, longitude: -82.99879, radiusMiles: 30 }]
  expect((await run('import', fileOf({ area }))).said).toBe('Changed: area.')
  const exported = JSON.parse((await run('export')).said) as object
  expect(exported).toMatchObject({ area })
  expect((await run('import', fileOf(exported))).said).toBe('Nothing has changed.')
  expect((await run('import', fileOf({ area: [] }))).said).toBe('Changed: area.')
})

test('the logo and the icon are part of the file, and an import of what was exported changes nothing', async () => {
  const urlOf = (bytes: Buffer, type: string) => `data:image/${type};base64,${bytes.toString('base64')}`
  const logo = urlOf(await pixels(1000, 160).jpeg().toBuffer(), 'jpeg')
  const icon = urlOf(await pixels(300, 290).webp().toBuffer(), 'webp')
  expect((await run('import', fileOf({ logo, icon }))).said).toBe('Changed: logo, icon.')
  const exported = JSON.parse((await run('export')).said) as { logo: string; icon: string }
  expect(exported.logo).toStartWith('data:image/png;base64,')
  expect((await run('import', fileOf(exported))).said).toBe('Nothing has changed.')
  expect((await run('import', fileOf({ logo, icon }))).said).toBe('Nothing has changed.')
  const text = `data:image/png;base64,${Buffer.from('hello').toString('base64')}`
  for (const [file, complaint] of [
    [{ icon: logo }, 'icon The picture is not square'],
    [{ logo: text }, 'logo Send a picture'],
    [{ logo: 'https://maple.example/logo.png' }, 'logo'],
  ] as const)
    expect(await run('import', fileOf(file))).toMatchObject({ code: 1, complained: expect.stringContaining(complaint) })
  expect((await run('import', fileOf({ logo: null, icon: null }))).said).toBe('Changed: logo, icon.')
})
