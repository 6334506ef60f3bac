// A file system of a few megabytes that can be filled, in a mount namespace of its own: it goes with the process that holds it.
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Account, asAccount } from '../../src/local/processes.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'

export interface SmallDisk {
  /** A folder on it that `account` owns. */
  readonly folder: string
  /** Uses up all space. */
  fill(): void
  /** Gives the space back that `fill` used. */
  free(): void
  close(): Promise<void>
}

/** As root, or in a user namespace of its own, where an unprivileged user may mount. */
export async function openSmallDisk(megabytes: number, account: Account | undefined): Promise<SmallDisk> {
  const mountPoint = mkdtempSync(join(tmpdir(), 'hearth-disk-'))
  chmodSync(mountPoint, 0o755)
  const options = `size=${megabytes}m,mode=0700${account ? `,uid=${account.uid},gid=${account.gid}` : ''}`
  // The account must own the process, or it may not enter the namespace by /proc.
  const hold = asAccount(account, ['sh', '-c', 'echo mounted; exec sleep infinity'])
  const holder = Bun.spawn(
    [
      'unshare',
      ...(process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']),
      'sh',
      '-c',
      `mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"`,
      'sh',
      options,
      mountPoint,
      ...hold,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const close = async () => {
    holder.kill('SIGKILL')
    await holder.exited
    rmSync(mountPoint, { recursive: true, force: true })
  }
  let output = ''
  const reading = holder.stdout.pipeTo(
    new WritableStream({ write: (chunk) => void (output += Buffer.from(chunk).toString()) }),
  )
  await waitUntil(() => output.includes('mounted') || holder.exitCode !== null, 10_000)
  if (!output.includes('mounted')) {
    await close()
    await reading
    throw new Error(`No small disk can be mounted here: ${await holder.stderr.text()}`)
  }
  const folder = `/proc/${holder.pid}/root${mountPoint}`
  const ballast = join(folder, 'ballast')
  return { folder, fill: () => fillWith(ballast), free: () => unlinkSync(ballast), close }
}

function fillWith(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const size of [2 ** 20, 4096]) writeUntilFull(file, Buffer.alloc(size))
  } finally {
    closeSync(file)
  }
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    while (writeSync(file, chunk) === chunk.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
