#!/usr/bin/env node
// Runs Bun with the given arguments, after downloading Bun and the dependencies when they are missing.
// Plain Node without dependencies, because a fresh clone has none.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { constants as osConstants } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { SetupError, say, underLock } from './setup.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  .packageManager.split('@')[1]
  .split('+')[0]

const lock = join(root, '.hearth', 'setup.lock')

/** Prepares Bun and the dependencies, then runs `bun <args>` with the same terminal, signals and exit code. */
export async function withBun(args) {
  try {
    const bun = findBun() ?? (await underLock(lock, () => findDownloadedBun() ?? downloadBun()))
    if (!dependenciesReady()) await underLock(lock, () => dependenciesReady() || installDependencies(bun))
    run(bun, args)
  } catch (error) {
    const isDiskError = ['EACCES', 'EPERM', 'ENOSPC', 'EROFS', 'EDQUOT'].includes(error.code)
    if (!(error instanceof SetupError || isDiskError)) throw error
    say(isDiskError ? `cannot write in this folder: ${error.message}` : error.message)
    process.exitCode = 1
  }
}

function findBun() {
  if (process.versions.bun && atLeast(process.versions.bun)) return process.execPath
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, 'bun')
    if (folder && executable(candidate) && atLeast(versionOf(candidate))) return candidate
  }
  return findDownloadedBun()
}

// The link is created last, after the binary has run, so that an existing link means a complete and working Bun.
const toolchain = join(root, '.hearth', 'toolchain')
const downloaded = join(toolchain, `bun-${wanted}-${process.platform}-${process.arch}`)
const findDownloadedBun = () =>
  existsSync(join(downloaded, 'bun')) ? realpathSync(join(downloaded, 'bun')) : undefined

function downloadBun() {
  say(`downloading Bun ${wanted} with npm (once, into .hearth/toolchain)`)
  const partial = `${downloaded}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  writeFileSync(join(partial, 'package.json'), '{ "private": true }\n')
  const npm = spawnSync(
    'npm',
    ['install', '--prefix', partial, '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', `bun@${wanted}`],
    { cwd: partial, encoding: 'utf8', env: cleanNpmEnvironment() },
  )
  if (npm.error?.code === 'ENOENT')
    throw new SetupError(`npm is not on PATH. Install npm, or Bun ${wanted} from bun.sh`)
  if (npm.status !== 0) throw new SetupError(`npm could not download Bun ${wanted}: ${reason(npm)}`)
  const binary = workingBinary(join(partial, 'node_modules'))
  if (!binary) throw new SetupError(`npm has no Bun ${wanted} that runs on ${process.platform}-${process.arch}`)
  symlinkSync(relative(partial, binary), join(partial, 'bun'))
  rmSync(downloaded, { recursive: true, force: true })
  renameSync(partial, downloaded)
  return findDownloadedBun()
}

// npm no longer runs install scripts by default, so `bun/bin` may still contain a placeholder: the binary is in the
// package of the platform. Some systems install several of them; the first one that runs is used.
function workingBinary(modules) {
  const scope = join(modules, '@oven')
  const packages = existsSync(scope) ? readdirSync(scope).map((name) => join(scope, name, 'bin', 'bun')) : []
  return [...packages, join(modules, 'bun', 'bin', 'bun.exe')].find(
    (path) => executable(path) && atLeast(versionOf(path)),
  )
}

// Inside `npm start`, npm sets variables for this project that would change the behavior of the inner npm.
function cleanNpmEnvironment() {
  const own = /^npm_(lifecycle|package|command|execpath|config_(local_prefix|prefix|global_prefix))/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
}

const stampPath = join(root, 'node_modules', '.hearth-stamp')
const patches = () => readdirSync(join(root, 'patches')).map((name) => join('patches', name))
const inputs = () =>
  ['package.json', 'bun.lock', ...patches()]
    .reduce(
      (hash, name) => hash.update(existsSync(join(root, name)) ? readFileSync(join(root, name)) : ''),
      createHash('sha256'),
    )
    .digest('hex')
const dependenciesReady = () => existsSync(stampPath) && readFileSync(stampPath, 'utf8') === inputs()

function installDependencies(bun) {
  say('installing dependencies (bun install)')
  const stamp = inputs()
  const install = spawnSync(bun, ['install', '--frozen-lockfile', '--ignore-scripts'], { cwd: root, encoding: 'utf8' })
  if (install.status !== 0) throw new SetupError(`bun install failed: ${reason(install)}`)
  writeFileSync(stampPath, stamp)
}

/** The first error line of a failed installer, or else its last line. */
function reason({ stderr, stdout, error, signal }) {
  if (error) return error.message
  if (signal) return `stopped by ${signal}`
  const lines = `${stdout}\n${stderr}`
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const errorLine = lines.find(
    (line) => /^(npm error|error)\b/i.test(line) && !/^npm error (code|errno|syscall)\b/.test(line),
  )
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ConnectionRefused|FailedToOpenSocket|DNS/i
  const hint = lines.some((line) => offline.test(line))
    ? ' (cannot reach the package registry: is this machine online?)'
    : ''
  return `${(errorLine ?? lines.at(-1) ?? 'no output').replace(/^npm error /, '')}${hint}`
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

function run(bun, args) {
  const child = spawn(bun, args, { stdio: 'inherit', env: { ...process.env, PATH: withFolder(dirname(bun)) } })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) endWithParent(child)
  child.on('error', (error) => {
    say(`cannot run ${bun}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    // After a child that ended by a signal, end by the same signal for the caller.
    if (signal) process.kill(process.pid, signal)
    process.exitCode = code ?? 128 + (osConstants.signals[signal] ?? 0)
  })
}

// npm waits for its script. A changed parent means that npm was killed and cannot pass a signal on.
function endWithParent(child) {
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500)
  child.on('exit', () => clearInterval(watch))
}

// Processes that Bun starts (`bun test`, package scripts) use the same Bun.
const withFolder = (folder) => [folder, process.env.PATH ?? ''].filter(Boolean).join(delimiter)

const versionOf = (bun) => {
  const { status, stdout } = spawnSync(bun, ['--version'], { encoding: 'utf8', timeout: 10_000 })
  return status === 0 ? stdout.trim() : ''
}

function atLeast(version) {
  const numbers = (text) => text.split(/[.+-]/).slice(0, 3).map(Number)
  const [have, want] = [numbers(version), numbers(wanted)]
  for (const [index, number] of want.entries()) if (have[index] !== number) return have[index] > number
  return true
}

function executable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await withBun(process.argv.slice(2))
