// What stands in the way on this machine, said so that the reader can mend it.

/** The message is whole and meant for a person: print it as it is, without a stack. */
export class LocalProblem extends Error {
  override readonly name = 'LocalProblem'
}

const ABOUT_THE_DISK: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not change it',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
}

/** Turns what the file system refused into a {@link LocalProblem}; other errors come back as they are. */
export function explainDisk(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reason = ABOUT_THE_DISK[String(error.code)]
  const path = 'path' in error ? String(error.path) : 'a file'
  return reason ? new LocalProblem(`Cannot write ${path}: ${reason}.`) : error
}
