// Problems of this machine that the user can fix.

/** The message is meant for the user: print it as it is, without a stack. */
export class LocalSetupError extends Error {
  override readonly name = 'LocalSetupError'
}

const DISK_ERRORS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
}

/** Turns a file system error into a {@link LocalSetupError}; returns any other error unchanged. */
export function explainDiskError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reason = DISK_ERRORS[String(error.code)]
  const path = 'path' in error ? String(error.path) : 'a file'
  return reason ? new LocalSetupError(`Cannot write ${path}: ${reason}.`) : error
}
