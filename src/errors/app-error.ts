// Every error a caller can meet: one class, one table from code to HTTP status and title.
import { ACCESS_ERRORS } from './access.ts'
import { AGENT_ERRORS } from './agents.ts'
import type { FieldError } from './kind.ts'
import { MISSING_ERRORS } from './missing.ts'
import { REQUEST_ERRORS } from './request.ts'
import { SERVER_ERRORS } from './server.ts'
import { STATE_ERRORS } from './state.ts'

/** The one table. The codes are part of the interface: they never change their meaning. */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCESS_ERRORS,
  ...MISSING_ERRORS,
  ...STATE_ERRORS,
  ...AGENT_ERRORS,
  ...SERVER_ERRORS,
}

export type ErrorCode = keyof typeof ERRORS

interface ErrorDetails {
  /** Field by field, for validation. */
  errors?: FieldError[]
  /** Further members of the problem body, such as `nextAvailable`. */
  extensions?: Record<string, unknown>
  /** Seconds after which trying again makes sense. */
  retryAfterSeconds?: number
  /** The methods a path does take. */
  allow?: readonly string[]
  /** An earlier request with the same `Idempotency-Key` was refused like this. */
  replayed?: boolean
  cause?: unknown
}

/** An answer other than success. Services throw it; HTTP and the agent servers translate it. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly errors: FieldError[] | undefined
  readonly extensions: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly allow: readonly string[] | undefined
  readonly replayed: boolean

  constructor(
    readonly code: ErrorCode,
    /** For people: what is wrong and what to do. Never holds internals or personal data. */
    readonly detail: string,
    details: ErrorDetails = {},
  ) {
    super(`${code}: ${detail}`, { cause: details.cause })
    this.errors = details.errors
    this.extensions = details.extensions
    this.retryAfterSeconds = details.retryAfterSeconds
    this.allow = details.allow
    this.replayed = details.replayed ?? false
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** A validation error about one field. */
export const invalidField = (path: string, message: string): AppError =>
  new AppError('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] })

/** A validation error about several fields. */
export const invalidFields = (errors: FieldError[]): AppError =>
  new AppError('validation_failed', `${errors.map(({ path, message }) => `${path} ${message}`).join('; ')}.`, {
    errors,
  })
