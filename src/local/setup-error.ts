// What stands in the way on this machine, said so that the reader can mend it.

/** The message is whole and meant for a person: print it as it is, without a stack. */
export class LocalSetupError extends Error {
  override readonly name = 'LocalSetupError'
}

const DISK_ERRORS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not change it',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
}

/** Turns what the file system refused into a {@link LocalSetupError}; other errors come back as they are. */
export function explainDiskError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reason = DISK_ERRORS[String(error.code)]
  const path = 'path' in error ? String(error.path) : 'a file'
  return reason ? new LocalSetupError(`Cannot write ${path}: ${reason}.`) : error
}
