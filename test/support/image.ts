// Builds our image without Docker: the steps of the Dockerfile in root file systems that hold as much as the base images do.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { type Step, readDockerfile, readIgnore } from './dockerfile.ts'
import { ROOT } from './imports.ts'
import { type Variant, fillBase } from './base-images.ts'

/** What a container of the image would be started with. */
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

/** Where Bun keeps packages that it has fetched, for root. */
const CACHE = 'root/.bun/install/cache'
/** What a builder passes on of its own environment, so that packages are found behind a proxy, too. */
const PASSED_ON = /^(https?_proxy|no_proxy|npm_config_registry|BUN_CONFIG_\w+|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS)$/i

/** Runs every step. `remove` deletes all that was made. */
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
  if (variant === undefined) throw new Error(`What ${image} holds is not known.`)
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

/** A folder is copied by what is in it, as Docker does. */
function copy(stage: Stage, { from, sources, target }: Step & { kind: 'COPY' }, stages: Map<string, Stage>): void {
  const origin = from === undefined ? ROOT : stages.get(from)?.root
  if (!origin) throw new Error(`There is no stage "${from ?? ''}".`)
  const reaches = from === undefined ? readIgnore(ROOT) : () => true
  for (const source of sources) {
    if (!reaches(source)) throw new Error(`.dockerignore keeps ${source} out.`)
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
  // With the packages that Bun has fetched before, so that the step works without the registry as well.
  const child = runIn(stage, ['sh', '-c', command], env, { from: cache, to: join(stage.root, CACHE) })
  const [said, complained, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}:\n${said}${complained}`)
}

/**
 * Starts a command as a container would: in the image's root, folder, user and environment, with `mount` in sight. Where
 * this machine does not let us change the root, in the folder alone.
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
  // Mounts of its own, which end with it. The environment is the container's from the second `unshare` on.
  const script = `${mounts.join(' && ')} && exec "$@"`
  return Bun.spawn(['unshare', ...rights(), 'sh', '-c', script, 'sh', ...into, ...command], {
    cwd: '/',
    env: { ...image.env, ...env, PATH: `${image.env['PATH'] ?? ''}:/usr/sbin:/sbin:/bin` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

const isRoot = () => process.getuid?.() === 0
/** As root with its capabilities, or in a user namespace. */
const rights = () => (isRoot() ? ['--mount'] : ['--map-root-user', '--mount'])

let mayEnter: boolean | undefined

/** Whether a process here may have a root and mounts of its own. */
export function canEnter(): boolean {
  mayEnter ??=
    Bun.which('unshare') !== null && Bun.spawnSync(['unshare', ...rights(), '--mount-proc', 'true']).exitCode === 0
  return mayEnter
}
