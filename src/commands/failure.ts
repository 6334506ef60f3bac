// Command failures: one line for errors the user can fix, a stack trace for all others.
import { ConfigError } from '../platform/environment.ts'
import { AppError } from '../errors/app-error.ts'
import { LocalSetupError } from '../local/setup-error.ts'
import { ExtensionsMissing } from '../platform/postgres/extensions.ts'
import { LocksNotFree } from '../platform/postgres/bounded-locks.ts'
import { MigrationChanged } from '../platform/postgres/schema-files.ts'
import { StoreUnavailable, asStoreError, isOldSchema } from '../platform/store-error.ts'

/** An error the user can fix; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The text as one of the names that an option takes. Throws a UsageError that lists them. */
export function requireOneOf<Name extends string>(text: string, names: readonly Name[], option: string): Name {
  const name = names.find((known) => known === text)
  if (name === undefined) throw new UsageError(`${option} must be one of ${names.join(', ')}, not "${text}".`)
  return name
}

/** The id as it is. Throws a UsageError for text that is no id; `list` is the command that shows the ids. */
export function requireId(text: string, what: string, list: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new UsageError(`"${text}" is not the id of a ${what}. List them with \`hearth ${list}\`.`)
  return text
}

/** Errors whose message is enough for the user, without a stack trace. */
const FOR_THE_OPERATOR = [UsageError, ConfigError, LocalSetupError, ExtensionsMissing, MigrationChanged, LocksNotFree]

/** Prints the error and exits with status 1. `options` are those of the command, such as `--rate-multiplier`. */
export function exitWithFailure(error: unknown, options: readonly string[]): never {
  process.stderr.write(`hearth: ${explainFailure(error, options)}\n`)
  process.exit(1)
}

/** The output for an operator: one line where it is enough, otherwise the stack trace. */
export function explainFailure(error: unknown, options: readonly string[] = []): string {
  if (error instanceof AppError) return withOptions(error, options)
  if (FOR_THE_OPERATOR.some((kind) => error instanceof kind)) return (error as Error).message
  const stored = asStoreError(error)
  if (stored instanceof StoreUnavailable) return `${stored.message}: ${stored.remedy}.`
  if (isOldSchema(error)) return 'The database lacks a table or function. Run `hearth migrate`.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The error with its fields named as people type them: `--rate-multiplier` for `rateMultiplier`. */
function withOptions({ errors, detail }: AppError, options: readonly string[]): string {
  const nameOf = (path: string) => {
    const option = `--${path.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return options.includes(option) ? option : path
  }
  return errors ? errors.map(({ path, message }) => `${nameOf(path)} ${message}`).join('; ') : detail
}
