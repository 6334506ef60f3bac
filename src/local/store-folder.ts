// Where a store keeps its files: beside the project, or where its user can reach them.
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { explainDiskError, LocalSetupError } from './setup-error.ts'
import { type Account, accountOf, runTool } from './processes.ts'

/** Whether a Unix socket may have this path: sun_path holds 104 bytes on macOS and 108 on Linux, the final zero included. */
export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) < 104

export interface StoreFolder {
  readonly path: string
  /** Who runs the store; undefined: the user we are. */
  readonly account: Account | undefined
}

/**
 * Makes `<dir>/<name>` ready (mode 700). As root the store runs as `users[0]` (or the next that exists), and when that
 * user cannot get there, as in a clone below root's own 0700 home, the files go to /var/lib/hearth/<hash of dir>.
 */
export async function prepareFolder(dir: string, name: string, users: readonly string[]): Promise<StoreFolder> {
  try {
    const near = join(dir, name)
    mkdirSync(near, { recursive: true })
    const account = await accountFor(near, users)
    if (!account) return { path: owned(near, undefined), account }
    if (await canEnter(account, dir)) return { path: owned(near, account), account }
    const far = join('/var/lib/hearth', hashOf(realpathSync(dir)), name)
    mkdirSync(far, { recursive: true })
    chmodSync(dirname(far), 0o755)
    chmodSync('/var/lib/hearth', 0o755)
    return { path: owned(far, account), account }
  } catch (error) {
    throw explainDiskError(error)
  }
}

/** A folder that an ordinary user made earlier keeps its owner when root comes along. */
async function accountFor(folder: string, users: readonly string[]): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = lstatSync(folder)
  if (uid !== 0) return { uid, gid }
  for (const user of users) {
    const account = await accountOf(user)
    if (account) return account
  }
  throw new LocalSetupError(`Running as root, Hearth needs one of these users for its stores: ${users.join(', ')}.`)
}

async function canEnter(account: Account, dir: string): Promise<boolean> {
  return (await runTool(['test', '-x', realpathSync(dir)], { account })).ok
}

function owned(folder: string, account: Account | undefined): string {
  const { uid } = lstatSync(folder)
  if (account) chownSync(folder, account.uid, account.gid)
  else if (uid !== process.getuid?.())
    throw new LocalSetupError(`${folder} belongs to another user: start Hearth as that user, or remove the folder.`)
  chmodSync(folder, 0o700)
  return realpathSync(folder)
}

const hashOf = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 16)
