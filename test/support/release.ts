// The last release before this build, from the history of this repository.
import { join } from 'node:path'

import { checkOut } from '../../bench/support/checkout.ts'
import releases from '../releases.json'
import { ROOT } from './imports.ts'

export interface Release {
  readonly version: string
  readonly commit: string
}

/** All entries of test/releases.json, the oldest first. */
export const allReleases = (): Release[] =>
  Object.entries(releases)
    .toSorted(([a], [b]) => Bun.semver.order(a, b))
    .map(([version, commit]) => ({ version, commit }))

export function lastRelease(): Release {
  const last = allReleases().at(-1)
  if (!last) throw new Error('test/releases.json names no release.')
  return last
}

/** Runs git in this clone. Throws one line if the clone lacks the release's commit, as a shallow one does. */
export async function gitOfRelease({ version, commit }: Release, args: readonly string[]): Promise<string> {
  const git = async (...all: string[]) => {
    const child = Bun.spawn(['git', ...all], { cwd: ROOT, stdout: 'pipe', stderr: 'pipe' })
    const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
    return { code, stdout, stderr }
  }
  const found = await git('cat-file', '-e', `${commit}^{commit}`)
  if (found.code !== 0)
    throw new Error(`This clone lacks the commit of release ${version} (${commit}). Run \`git fetch --unshallow\`.`)
  const { code, stdout, stderr } = await git(...args)
  if (code !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

/** The folder of the release with its own packages; made once. */
export async function checkOutRelease(release: Release): Promise<string> {
  await gitOfRelease(release, ['--version'])
  const folder = join(ROOT, '.hearth/releases', `${release.version}-${release.commit.slice(0, 10)}`)
  return checkOut(release.commit, folder, () => undefined)
}
