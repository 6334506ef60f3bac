// Another build of Hearth: a commit of this repository with its own packages.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

/** The short id of a commit, tag or branch. Throws if this clone does not have it. */
export const commitId = (commit: string): Promise<string> =>
  run(['git', 'rev-parse', '--short=10', '--verify', `${commit}^{commit}`])

/** Checks a commit out into `folder` and installs its packages, unless the folder exists. */
export async function checkOut(commit: string, folder: string, log: (line: string) => void): Promise<string> {
  if (existsSync(folder)) return folder
  log(`checking out ${commit} and installing its packages`)
  const draft = `${folder}.${process.pid}.draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const archive = `${draft}.tar`
  await run(['git', 'archive', `--output=${archive}`, commit])
  await run(['tar', '-xf', archive, '-C', draft])
  rmSync(archive)
  await run([process.execPath, 'install', '--frozen-lockfile', '--production', '--ignore-scripts'], {}, draft)
  renameSync(draft, folder)
  return folder
}

/** Commands of old builds ask for its URL and do not connect. */
const UNUSED_REDIS = 'redis://127.0.0.1:1'

/** Runs a `hearth` command of the build in `folder`. Returns what it prints; throws if it fails. */
export const runCommand = (folder: string, databaseUrl: string, ...args: string[]): Promise<string> =>
  run([process.execPath, join(folder, 'src/cli.ts'), ...args], { DATABASE_URL: databaseUrl, REDIS_URL: UNUSED_REDIS })

async function run(command: string[], env: Record<string, string> = {}, cwd = ROOT): Promise<string> {
  const child = Bun.spawn(command, { cwd, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${stderr || stdout}`)
  return stdout.trim()
}
