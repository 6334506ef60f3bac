// How a command fails: one line for what its user can mend, the stack only for what they cannot.
import { ConfigError } from '../platform/environment.ts'
import { AppError } from '../errors/app-error.ts'
import { MigrationChanged } from '../platform/postgres/migrate.ts'
import { StoreUnavailable } from '../platform/postgres/store-error.ts'

/** Something the user of the command can mend; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Prints why a command failed and ends the process with status 1. */
export function exitWithFailure(error: unknown): never {
  process.stderr.write(`hearth: ${reason(error)}\n`)
  process.exit(1)
}

function reason(error: unknown): string {
  if (error instanceof AppError) return error.detail
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof MigrationChanged)
    return error.message
  if (error instanceof StoreUnavailable) return `${error.store} does not answer. Is it running?`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
