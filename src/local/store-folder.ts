// The folder of a store's files: inside the project, or elsewhere when the store's user cannot enter it.
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { explainDiskError, LocalSetupError } from './setup-error.ts'
import { type Account, accountOf, runTool } from './processes.ts'

/** Whether a Unix socket may have this path: sun_path holds 104 bytes on macOS and 108 on Linux, the final zero included. */
export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) < 104

export interface StoreFolder {
  readonly path: string
  /** The user that runs the store; undefined for the current user. */
  readonly account: Account | undefined
}

/**
 * Creates `<dir>/<name>` with mode 700. For root the store runs as the first existing user of `users`. When that user
 * cannot enter the folder, such as a clone below root's 0700 home, the files go to /var/lib/hearth/<hash of dir>.
 */
export async function prepareFolder(dir: string, name: string, users: readonly string[]): Promise<StoreFolder> {
  try {
    const local = join(dir, name)
    mkdirSync(local, { recursive: true })
    const account = await accountFor(local, users)
    if (!account) return { path: owned(local, undefined), account }
    if (await canEnter(account, dir)) return { path: owned(local, account), account }
    const shared = join('/var/lib/hearth', hashOf(realpathSync(dir)), name)
    mkdirSync(shared, { recursive: true })
    chmodSync(dirname(shared), 0o755)
    chmodSync('/var/lib/hearth', 0o755)
    return { path: owned(shared, account), account }
  } catch (error) {
    throw explainDiskError(error)
  }
}

/** A folder created by an ordinary user keeps its owner when root uses it. */
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
    throw new LocalSetupError(`${folder} belongs to another user. Start Hearth as that user, or remove the folder.`)
  chmodSync(folder, 0o700)
  return realpathSync(folder)
}

/** The password of a store: created once, readable by this user only. */
export function passwordIn(folder: StoreFolder): string {
  const path = passwordFileIn(folder)
  if (existsSync(path)) return readFileSync(path, 'utf8')
  const password = randomBytes(24).toString('base64url')
  writeFileSync(path, password, { mode: 0o600 })
  return password
}

export const passwordFileIn = ({ path }: StoreFolder) => join(path, 'password')

const hashOf = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 16)
