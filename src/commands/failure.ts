// Command failures: one line for errors the user can fix, a stack trace for all others.
import { ConfigError } from '../platform/environment.ts'
import { AppError } from '../errors/app-error.ts'
import { MigrationChanged } from '../platform/postgres/migrate.ts'
import { StoreUnavailable } from '../platform/store-error.ts'

/** An error the user can fix; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Prints the error and exits with status 1. */
export function exitWithFailure(error: unknown): never {
  process.stderr.write(`hearth: ${reason(error)}\n`)
  process.exit(1)
}

function reason(error: unknown): string {
  if (error instanceof AppError) return error.detail
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof MigrationChanged)
    return error.message
  if (error instanceof StoreUnavailable) return `${error.message}: ${error.remedy}.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
