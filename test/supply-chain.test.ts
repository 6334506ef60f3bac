// What Hearth installs: exact versions with checksums, no scripts of packages, and licences that are allowed.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import manifest from '../package.json'
import { ROOT } from './support/imports.ts'
import {
  LICENSES_PAGE,
  PLATFORM_LICENSES,
  licensesPage,
  lockedPackages,
  packagesByLicense,
} from './support/packages.ts'

/** Licenses that ask for no more than their text. */
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
  '(MIT AND Zlib)',
  // As package.json of htmx.org (0BSD) and of zipcodes (three clauses) call them.
  'BSD-0-Clause',
  'BSD',
]
/**
 * In the image: `MPL-2.0` asks for the source of changed files, and ical.js is used as published; `PSF-2.0` asks to name changes, and
 * argparse, of the command of markdown-it, is not even loaded; `OFL-1.1` is that of the heading face.
 */
const SHIPPED = [...PERMISSIVE, 'MPL-2.0', 'PSF-2.0', 'OFL-1.1']
/** Packages of tests and checks, which no user receives. */
const FOR_DEVELOPMENT = [...SHIPPED, '(MIT OR EUPL-1.1+)', 'Python-2.0', 'WTFPL', 'CC BY-SA 4.0']

const packages = lockedPackages()

test('every dependency is named with its exact version', () => {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(wanted.filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

test('every package in bun.lock has a checksum', () => {
  expect(packages.length).toBeGreaterThan(400)
  expect(packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([])
})

test('no package may run a script while it is installed', () => {
  // An empty list also replaces Bun's own list of trusted packages.
  expect(manifest.trustedDependencies).toEqual([])
  for (const file of ['bin/with-bun.mjs', 'Dockerfile']) {
    const installs = readFileSync(join(ROOT, file), 'utf8').match(/^.*\binstall\b.*--.*$/gm) ?? []
    const unsafe = installs.filter((line) => !line.includes('--ignore-scripts'))
    expect([file, installs.length > 0, unsafe]).toEqual([file, true, []])
  }
})

test.each([
  ['in the image', true, SHIPPED],
  ['for development', false, FOR_DEVELOPMENT],
])('every package %s has an allowed license', (_, isShipped, allowed) => {
  const groups = packagesByLicense(packages.filter((one) => one.isShipped === isShipped))
  expect([...groups].filter(([license]) => !allowed.includes(license))).toEqual([])
})

test('what is installed for this platform has the license of the package that needs it, or one that is listed', () => {
  const installed = Array.from(new Bun.Glob('@img/*/package.json').scanSync(join(ROOT, 'node_modules')), (path) => {
    const { name, license } = JSON.parse(readFileSync(join(ROOT, 'node_modules', path), 'utf8')) as Record<
      string,
      string
    >
    return { name: name ?? '', license: license ?? '' }
  })
  const listed = ({ name }: { name: string }) =>
    Object.entries(PLATFORM_LICENSES).find(([prefix]) => name.startsWith(prefix))?.[1]
  expect(installed.filter(listed).length).toBeGreaterThan(0)
  const others = installed.filter((one) => one.license !== listed(one) && !PERMISSIVE.includes(one.license))
  expect(others).toEqual([])
})

test('LICENSES.md lists the packages of bun.lock; `npm run licenses` writes it', () => {
  expect(readFileSync(LICENSES_PAGE, 'utf8')).toBe(licensesPage())
})

test('SECURITY.md names only files that exist', () => {
  const named = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').match(/`(src|test)\/[\w./-]+`/g) ?? []
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(join(ROOT, path.slice(1, -1))))).toEqual([])
})
