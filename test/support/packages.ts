// The packages of bun.lock with their licences, and the page that lists them.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import lock from '../../bun.lock'
import { ROOT } from './imports.ts'

export const LICENSES_PAGE = join(ROOT, 'LICENSES.md')

export interface LockedPackage {
  /** The place in node_modules, such as `elysia` or `express/cookie`. */
  readonly place: string
  readonly name: string
  readonly version: string
  readonly integrity: string | undefined
  /**
   * Programs for one platform, and what only they need, are not installed on all machines. They have the license of the package
   * that needs them, except for PLATFORM_LICENSES.
   */
  readonly isForPlatform: boolean
  /** Needed by a dependency, not only by a development dependency. */
  readonly isShipped: boolean
}

interface Details {
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly os?: unknown
  readonly cpu?: unknown
}

const entries = Object.entries(lock.packages) as unknown as [string, [id: string, from: string, Details, string?]][]
const detailsOf = new Map(entries.map(([place, [, , details]]) => [place, details]))

/** The place that a package at `place` gets `name` from: its own node_modules, or those above. */
function resolve(place: string, name: string): string {
  const steps = place.split('/')
  for (let kept = steps.length; kept > 0; kept--) {
    const candidate = [...steps.slice(0, kept), name].join('/')
    if (detailsOf.has(candidate)) return candidate
  }
  return name
}

/** Licenses of shared libraries that are published for each platform. Tests compare them with what is installed. */
export const PLATFORM_LICENSES: Readonly<Record<string, string>> = {
  '@img/sharp-libvips-': 'LGPL-3.0-or-later',
}

const isForPlatform = ({ os, cpu }: Details) => os !== undefined || cpu !== undefined

/** What dependencies need, directly or through others; without platforms, only what every machine installs. */
function shippedPlaces({ withPlatforms }: { withPlatforms: boolean }): ReadonlySet<string> {
  const shipped = new Set<string>()
  const open = Object.keys(lock.workspaces['']?.dependencies ?? {})
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const details = detailsOf.get(place) ?? {}
    if (shipped.has(place) || (!withPlatforms && isForPlatform(details))) continue
    shipped.add(place)
    const { dependencies, optionalDependencies } = details
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) open.push(resolve(place, name))
  }
  return shipped
}

export function lockedPackages(): LockedPackage[] {
  const shipped = shippedPlaces({ withPlatforms: true })
  const everywhere = shippedPlaces({ withPlatforms: false })
  return entries.map(([place, [id, , details, integrity]]) => ({
    place,
    name: id.slice(0, id.lastIndexOf('@')),
    version: id.slice(id.lastIndexOf('@') + 1),
    integrity,
    isForPlatform: isForPlatform(details) || (shipped.has(place) && !everywhere.has(place)),
    isShipped: shipped.has(place),
  }))
}

/** The manifests below a node_modules folder. */
function* manifestsIn(folder: string): Generator<{ name: string; version: string; license?: unknown }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || !entry.isDirectory()) continue
    if (entry.name.startsWith('@')) {
      yield* manifestsIn(path)
      continue
    }
    const files = readdirSync(path)
    if (files.includes('package.json')) yield JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as never
    if (files.includes('node_modules')) yield* manifestsIn(join(path, 'node_modules'))
  }
}

/** The installed packages of all platforms by licence; `missing` where a package is not installed or names none. */
export function packagesByLicense(packages: readonly LockedPackage[]): Map<string, string[]> {
  const licenses = new Map(
    Array.from(manifestsIn(join(ROOT, 'node_modules')), ({ name, version, license }) => [
      `${name}@${version}`,
      license,
    ]),
  )
  const licenseOf = (id: string) => {
    const license = licenses.get(id)
    return typeof license === 'string' ? license : 'missing'
  }
  const ids = new Set(packages.filter((one) => !one.isForPlatform).map(({ name, version }) => `${name}@${version}`))
  return Map.groupBy([...ids].sort(), licenseOf)
}

const section = (title: string, packages: readonly LockedPackage[]): string => {
  const groups = [...packagesByLicense(packages)].sort(([one], [other]) => (one < other ? -1 : 1))
  return [`## ${title}`, ...groups.map(([license, ids]) => `### ${license}\n\n${ids.join(', ')}`)].join('\n\n')
}

/** The platforms' own licenses by the beginning of the packages' names, in the image. */
const platformLicenses = () =>
  Object.entries(PLATFORM_LICENSES)
    .map(([prefix, license]) => `- \`${prefix}*\`: ${license}, as published, a shared library that can be replaced`)
    .join('\n')

/** LICENSES.md as it must be for bun.lock and the installed packages. */
export function licensesPage(): string {
  const packages = lockedPackages()
  return `${[
    '# Licenses of the packages',
    'Written by `npm run licenses`. Hearth itself is under the MIT license, in `LICENSE`.',
    section(
      'In the image',
      packages.filter(({ isShipped }) => isShipped),
    ),
    `### For one platform\n\n${platformLicenses()}`,
    section(
      'For development and tests only',
      packages.filter(({ isShipped }) => !isShipped),
    ),
  ].join('\n\n')}\n`
}
