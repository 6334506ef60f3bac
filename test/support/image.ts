// Builds the image without Docker: runs the steps of the Dockerfile in root file systems like those of the base images.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { type Step, readDockerfile, readIgnore } from './dockerfile.ts'
import { ROOT } from './imports.ts'
import { type Variant, fillBase } from './base-images.ts'

/** The root file system of an image and the settings of its containers. */
export interface Image {
  readonly root: string
  readonly base: string
  readonly workdir: string
  readonly env: Record<string, string>
  readonly user: string
  readonly ports: number[]
  readonly healthcheck: string[]
  readonly entrypoint: string[]
  readonly command: string[]
}

type Stage = { -readonly [Field in keyof Image]: Image[Field] }

/** Bun's package cache of root. */
const CACHE = 'root/.bun/install/cache'
/** The variables that a build inherits, so that it can download packages behind a proxy. */
const PASSED_ON = /^(https?_proxy|no_proxy|npm_config_registry|BUN_CONFIG_\w+|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS)$/i

/** Runs every step. `remove` deletes the image. */
export async function buildImage(): Promise<{ image: Image; remove: () => void }> {
  const folder = mkdtempSync(join(ROOT, '.hearth', 'image-'))
  chmodSync(folder, 0o755)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    return { image: await runSteps(folder), remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function runSteps(folder: string): Promise<Stage> {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const step of readDockerfile(join(ROOT, 'Dockerfile'))) {
    if (step.kind === 'FROM') {
      stage = await openStage(join(folder, String(stages.size)), step.image)
      stages.set(step.as ?? 'image', stage)
    } else {
      if (!stage) throw new Error('The first step is not FROM.')
      await apply(stage, step, stages)
    }
  }
  if (!stage) throw new Error('There are no steps.')
  return stage
}

async function openStage(root: string, image: string): Promise<Stage> {
  const [, variant] = /^oven\/bun:[\d.]+-(slim|distroless)$/.exec(image) ?? []
  if (variant === undefined) throw new Error(`The files of the base image ${image} are unknown.`)
  for (const path of ['app', CACHE]) mkdirSync(join(root, path), { recursive: true })
  await fillBase(root, variant as Variant)
  const env = { PATH: '/usr/local/bin:/usr/bin' }
  return { root, base: image, workdir: '/', env, user: '0:0', ports: [], healthcheck: [], entrypoint: [], command: [] }
}

async function apply(stage: Stage, step: Exclude<Step, { kind: 'FROM' }>, stages: Map<string, Stage>): Promise<void> {
  switch (step.kind) {
    case 'WORKDIR':
      stage.workdir = resolve(stage.workdir, step.text)
      return void mkdirSync(join(stage.root, stage.workdir), { recursive: true })
    case 'COPY':
      return copy(stage, step, stages)
    case 'RUN':
      return await runStep(stage, step.text)
    case 'ENV':
      return void Object.assign(stage.env, step.variables)
    case 'USER':
      stage.user = step.text
      return
    case 'EXPOSE':
      return void stage.ports.push(...step.ports)
    case 'HEALTHCHECK':
      stage.healthcheck = step.command
      return
    case 'ENTRYPOINT':
      stage.entrypoint = step.command
      return
    case 'CMD':
      stage.command = step.command
      return
    case 'STOPSIGNAL':
  }
}

/** Copies the contents of folders, as Docker does. */
function copy(stage: Stage, { from, sources, target }: Step & { kind: 'COPY' }, stages: Map<string, Stage>): void {
  const origin = from === undefined ? ROOT : stages.get(from)?.root
  if (!origin) throw new Error(`There is no stage "${from ?? ''}".`)
  const isIncluded = from === undefined ? readIgnore(ROOT) : () => true
  for (const source of sources) {
    if (!isIncluded(source)) throw new Error(`.dockerignore keeps ${source} out.`)
    const isInto = target.endsWith('/')
    const to = join(stage.root, resolve(stage.workdir, target), isInto ? source : '')
    cpSync(join(origin, source), to, { recursive: true, verbatimSymlinks: true })
  }
}

async function runStep(stage: Stage, command: string): Promise<void> {
  const passed = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)))
  const home = process.env['HOME'] ?? '/'
  const cache = join(process.env['BUN_INSTALL'] ?? join(home, '.bun'), 'install/cache')
  mkdirSync(cache, { recursive: true })
  const env = { ...passed, HOME: canEnter() ? '/root' : home }
  // Mounts Bun's package cache, so that the step also works without the registry.
  const child = runIn(stage, ['sh', '-c', command], env, { from: cache, to: join(stage.root, CACHE) })
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}:\n${output}${errors}`)
}

/**
 * Starts a command as a container would: with the image's root, folder, user and environment, and with `mount`. On a
 * machine that does not allow changing the root, it sets only the folder and the environment.
 */
export function runIn(
  image: Image,
  command: string[],
  env: Record<string, string> = {},
  mount?: { from: string; to: string },
) {
  if (!canEnter())
    return Bun.spawn(command, {
      cwd: join(image.root, image.workdir),
      env: { ...image.env, ...env, PATH: process.env['PATH'] ?? '' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
  const [uid = '0', gid = '0'] = image.user.split(':')
  const identity = isRoot() ? [`--setuid=${uid}`, `--setgid=${gid}`] : []
  const into = ['unshare', `--root=${image.root}`, `--wd=${image.workdir}`, ...identity]
  const mounts = [
    `mount -t proc proc '${image.root}/proc'`,
    ...(mount ? [`mount --bind '${mount.from}' '${mount.to}'`] : []),
  ]
  // The mounts end with the process. The container's environment applies from the second `unshare` on.
  const script = `${mounts.join(' && ')} && exec "$@"`
  return Bun.spawn(['unshare', ...namespaceOptions(), 'sh', '-c', script, 'sh', ...into, ...command], {
    cwd: '/',
    env: { ...image.env, ...env, PATH: `${image.env['PATH'] ?? ''}:/usr/sbin:/sbin:/bin` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

const isRoot = () => process.getuid?.() === 0
/** The options of `unshare`: root has the capabilities, other users need a user namespace. */
const namespaceOptions = () => (isRoot() ? ['--mount'] : ['--map-root-user', '--mount'])

let mayEnter: boolean | undefined

/** True when this machine allows a process its own root and mounts. */
export function canEnter(): boolean {
  mayEnter ??=
    Bun.which('unshare') !== null &&
    Bun.spawnSync(['unshare', ...namespaceOptions(), '--mount-proc', 'true']).exitCode === 0
  return mayEnter
}
