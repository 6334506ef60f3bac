// The files of the image's base images, without Docker: Debian as debootstrap sets it up, once, and unpacked packages of it.
// Where debootstrap is unavailable, programs of this machine with the libraries that they are linked to.
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

/** The time limit of a hook that builds an image. The first time, Debian is downloaded and unpacked. */
export const IMAGE_START_MS = 600_000

const PROGRAMS: Record<Variant, string[]> = { slim: ['sh', 'find'], distroless: [] }
/** The packages of `base-nossl`, without its generated files: https://github.com/GoogleContainerTools/distroless */
const DISTROLESS = ['base-files', 'ca-certificates', 'libc6', 'netbase', 'tzdata']
/** The files that a container runtime provides. */
const OF_THE_HOST = ['/etc/resolv.conf', '/etc/hosts']
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

const note = (line: string) => process.stderr.write(`hearth: ${line}\n`)

/** Fills the folder with the files of the base image, Bun included. */
export async function fillBase(root: string, variant: Variant): Promise<void> {
  const debian = await findDebian()
  if (typeof debian === 'string') {
    note(`the base image is built from programs of this machine: ${debian}`)
    await putPrograms(root, variant)
  } else if (variant === 'slim') await must(['cp', '-a', `${debian.root}/.`, root])
  else await unpack(root, debian)
  for (const path of ['proc', 'tmp', 'usr/local/bin']) mkdirSync(join(root, path), { recursive: true })
  put(process.execPath, join(root, 'usr/local/bin/bun'))
  for (const path of OF_THE_HOST) if (existsSync(path)) copyFileSync(path, join(root, path))
  // Build steps that download packages trust the certificates of this machine; the shipped image trusts Debian's.
  if (variant === 'slim' && existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(root, CERTIFICATES))
}

interface Debian {
  /** The folder with the essential packages, configured. */
  root: string
  /** The folder with the .deb files. */
  packages: string
}

let debianOnce: Promise<Debian | string> | undefined

/** Debian of this machine's release, or the reason why it is unavailable. */
const findDebian = () => (debianOnce ??= setUpDebian())

/** The code name of this machine's Debian release; undefined on other systems. */
export function debianCodename(): string | undefined {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return /^ID=debian$/m.test(release) ? /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] : undefined
}

async function setUpDebian(): Promise<Debian | string> {
  const codename = debianCodename()
  if (codename === undefined) return 'it is not Debian'
  if (process.getuid?.() !== 0) return 'only root can set up Debian'
  const home = join(ROOT, '.hearth/roots', codename)
  const debian = { root: join(home, 'root'), packages: join(home, 'packages') }
  if (existsSync(home)) return debian
  if (!Bun.which('debootstrap') && (await isAvailableInApt('debootstrap')))
    await aptInstall(() => Promise.resolve(['debootstrap']), note)
  if (!Bun.which('debootstrap')) return 'there is no debootstrap'
  const partial = `${home}.${process.pid}`
  const { ok, output } = await debootstrap(partial, codename)
  if (!ok) {
    rmSync(partial, { recursive: true, force: true })
    return `debootstrap reports: ${output.trim().split('\n').at(-1) ?? 'nothing'}`
  }
  rmSync(home, { recursive: true, force: true })
  renameSync(partial, home)
  return debian
}

async function debootstrap(folder: string, codename: string): Promise<{ ok: boolean; output: string }> {
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

/** The mirror from which apt downloads this release. */
export async function mirrorOf(codename: string): Promise<string | undefined> {
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

/** A distroless image: packages unpacked without their scripts, and the files that the scripts would create. */
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

/** Runs a program to completion. Throws with its output unless it succeeds. */
export async function must(command: string[]): Promise<void> {
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

/** Copies the libraries that the program is linked to. */
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
    // The target is on another file system.
    copyFileSync(from, to)
  }
}
