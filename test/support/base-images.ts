// What our image's base images hold, without Docker: Debian as its own installer makes it, once, and packages of it unpacked.
// Where that cannot be had, programs of this machine with the libraries that they are linked to.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { aptInstall, isAvailableInApt } from '../../src/local/apt.ts'
import { runTool } from '../../src/local/processes.ts'
import { ROOT } from './imports.ts'

/** `slim` has a shell and Debian's essential packages; `distroless` has the C library, certificates and time zones. */
export type Variant = 'slim' | 'distroless'

/** How long a hook that builds an image may take: the first time Debian is fetched and unpacked. */
export const IMAGE_START_MS = 600_000

const PROGRAMS: Record<Variant, string[]> = { slim: ['sh', 'find'], distroless: [] }
/** As https://github.com/GoogleContainerTools/distroless describes its `base-nossl`, less what it makes up itself. */
const DISTROLESS = ['base-files', 'ca-certificates', 'libc6', 'netbase', 'tzdata']
/** What is told to a container by what starts it. */
const OF_THE_HOST = ['/etc/resolv.conf', '/etc/hosts']
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

const note = (line: string) => process.stderr.write(`hearth: ${line}\n`)

/** Fills the folder with what the base image holds, Bun included. */
export async function fillBase(root: string, variant: Variant): Promise<void> {
  const debian = await findDebian()
  if (typeof debian === 'string') {
    note(`the image’s base is put together from programs of this machine: ${debian}`)
    await putPrograms(root, variant)
  } else if (variant === 'slim') await must(['cp', '-a', `${debian.root}/.`, root])
  else await unpack(root, debian)
  for (const path of ['proc', 'tmp', 'usr/local/bin']) mkdirSync(join(root, path), { recursive: true })
  put(process.execPath, join(root, 'usr/local/bin/bun'))
  for (const path of OF_THE_HOST) if (existsSync(path)) copyFileSync(path, join(root, path))
  // Steps that fetch packages may have to trust what this machine trusts; what we ship trusts what Debian does.
  if (variant === 'slim' && existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(root, CERTIFICATES))
}

interface Debian {
  /** Its essential packages, set up. */
  root: string
  /** The packages that it was made of. */
  packages: string
}

let found: Promise<Debian | string> | undefined

/** Debian of this machine's release, or why there is none. */
const findDebian = () => (found ??= makeDebian())

async function makeDebian(): Promise<Debian | string> {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1]
  if (!/^ID=debian$/m.test(release) || codename === undefined) return 'it is not Debian'
  if (process.getuid?.() !== 0) return 'only root can set up Debian'
  const home = join(ROOT, '.hearth/roots', codename)
  const debian = { root: join(home, 'root'), packages: join(home, 'packages') }
  if (existsSync(home)) return debian
  if (!Bun.which('debootstrap') && (await isAvailableInApt('debootstrap')))
    await aptInstall(() => Promise.resolve(['debootstrap']), note)
  if (!Bun.which('debootstrap')) return 'there is no debootstrap'
  const partial = `${home}.${process.pid}`
  const { ok, output } = await setUp(partial, codename)
  if (!ok) {
    rmSync(partial, { recursive: true, force: true })
    return `debootstrap says: ${output.trim().split('\n').at(-1) ?? 'nothing'}`
  }
  rmSync(home, { recursive: true, force: true })
  renameSync(partial, home)
  return debian
}

async function setUp(folder: string, codename: string): Promise<{ ok: boolean; output: string }> {
  note(`setting up Debian ${codename} for the image’s test (once; a minute or two)`)
  const root = join(folder, 'root')
  mkdirSync(root, { recursive: true })
  const mirror = await mirrorOf(codename)
  const include = `--include=${DISTROLESS.join(',')}`
  const command = ['debootstrap', '--variant=minbase', include, codename, root, ...(mirror ? [mirror] : [])]
  const result = await runTool(command, { timeoutMs: IMAGE_START_MS - 60_000 })
  if (result.ok) renameSync(join(root, 'var/cache/apt/archives'), join(folder, 'packages'))
  return result
}

/** Where apt gets this release from. */
async function mirrorOf(codename: string): Promise<string | undefined> {
  const { output } = await runTool([
    'apt-get',
    'indextargets',
    '--format',
    '$(REPO_URI) $(RELEASE)',
    'Created-By: Packages',
  ])
  return output
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, release]) => release === codename)?.[0]
}

/** A distroless image: packages without their scripts, and what those would have made. */
async function unpack(root: string, { root: whole, packages }: Debian): Promise<void> {
  const files = readdirSync(packages)
  for (const name of DISTROLESS) {
    const file = files.find((one) => one.startsWith(`${name}_`))
    if (file === undefined) throw new Error(`debootstrap left no package ${name}.`)
    await must(['dpkg-deb', '--extract', join(packages, file), root])
  }
  for (const path of [CERTIFICATES, '/etc/nsswitch.conf', '/etc/localtime']) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    await must(['cp', '-a', join(whole, path), join(root, path)])
  }
  await must(['cp', '-a', join(whole, 'dev'), root])
}

async function must(command: string[]): Promise<void> {
  const { ok, output } = await runTool(command, { timeoutMs: 120_000 })
  if (!ok) throw new Error(`${command.join(' ')} failed: ${output}`)
}

async function putPrograms(root: string, variant: Variant): Promise<void> {
  for (const path of ['dev', 'etc/ssl/certs', 'usr/bin']) mkdirSync(join(root, path), { recursive: true })
  await putLibraries(root, process.execPath)
  for (const program of PROGRAMS[variant]) {
    const path = Bun.which(program) ?? ''
    put(path, join(root, 'usr/bin', program))
    await putLibraries(root, path)
  }
  for (const path of ['/etc/nsswitch.conf', CERTIFICATES]) if (existsSync(path)) copyFileSync(path, join(root, path))
  writeFileSync(join(root, 'dev/null'), '')
  chmodSync(join(root, 'dev/null'), 0o666)
}

/** What the program is linked to. */
async function putLibraries(root: string, program: string): Promise<void> {
  const { output } = await runTool(['ldd', program])
  for (const [library] of output.matchAll(/(?<=\s)\/\S+(?= \()/g)) put(library, join(root, library))
}

function put(from: string, to: string): void {
  if (existsSync(to)) return
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(realpathSync(from), to)
  } catch {
    // On another disk.
    copyFileSync(from, to)
  }
}
