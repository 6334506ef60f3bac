// Which errors of PostgreSQL, Redis and the storage of files are temporary, and what each one says about the store.

/** Why a store cannot serve a request at the moment. */
interface Condition {
  /** SQLSTATEs, codes of files, sockets, postgres.js and S3, and first words of Redis's error replies. */
  readonly codes: readonly string[]
  /** Completes "PostgreSQL …" or "Redis …". */
  readonly state: string
  /** For the operator. */
  readonly remedy: string
}

/** PostgreSQL rolled a transaction back in favour of a concurrent one: it may succeed when it runs again. */
const CONFLICTS = ['40001', '40P01']

/** PostgreSQL cannot write to its disk. The node looks healthy as long as it only reads. */
export const DISK_FULL = '53100'
export const READ_ONLY = '25006'
/** Not of PostgreSQL: the database is a restored copy, see restored-copy.ts. */
export const RESTORED_COPY = 'restored copy'
/** Redis refuses a command because it is a cluster. */
export const CLUSTER_CODES: readonly string[] = ['MOVED', 'ASK', 'CLUSTERDOWN', 'CROSSSLOT', 'TRYAGAIN']
/** A store did not respond within the limit of the caller. */
export const NO_RESPONSE = 'no response'

const START_IT = 'start it, or correct its URL; `npm start` runs a private one'
const WAIT = 'wait; if it lasts, see its log'

/**
 * The only list of temporary errors. HTTP answers them with 503 and `Retry-After`, workers try again later.
 * SQLSTATEs: PostgreSQL's manual, appendix A. Redis: the first words of its error replies.
 */
export const CONDITIONS: readonly Condition[] = [
  {
    codes: [NO_RESPONSE, 'CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAGAIN'],
    state: 'does not respond',
    remedy: START_IT,
  },
  { codes: ['ECONNREFUSED', 'ENOENT', 'ConnectionRefused'], state: 'refuses connections', remedy: START_IT },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'DNS_ENOTFOUND', 'ESERVFAIL'],
    state: 'has a host name that cannot be resolved',
    remedy: 'correct the host in its URL, or see the name server',
  },
  {
    codes: ['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE'],
    state: 'closed the connection',
    remedy: WAIT,
  },
  {
    codes: ['08000', '08001', '08003', '08004', '08006', '08007'],
    state: 'lost the connection',
    remedy: WAIT,
  },
  {
    // PgBouncer's code for all that it refuses: clients, waiting statements, logins.
    codes: ['08P01'],
    state: 'is not reached through its pooler',
    remedy:
      'see the log of the pooler: too many clients, a wait that took too long, or a login that PostgreSQL refused',
  },
  {
    codes: [
      '28000',
      '28P01',
      'NOAUTH',
      'WRONGPASS',
      'NOPERM',
      'AccessDenied',
      'InvalidAccessKeyId',
      'SignatureDoesNotMatch',
    ],
    state: 'refuses the user or the password',
    remedy: 'correct them in its URL',
  },
  { codes: ['3D000', '57P04'], state: 'lacks the database', remedy: 'create it, or correct the URL' },
  {
    codes: [READ_ONLY, 'READONLY', 'EROFS', 'EACCES', 'EPERM'],
    state: 'is read-only',
    remedy: 'connect to the primary, or allow writes',
  },
  {
    codes: [RESTORED_COPY],
    state: 'is a restored copy, which accepts no changes',
    remedy: 'see `hearth restored`',
  },
  {
    codes: [DISK_FULL, '53400', 'ENOSPC', 'EDQUOT'],
    state: 'has no disk space left',
    remedy: 'free or add disk space',
  },
  { codes: ['53000', '53200', 'OOM'], state: 'has no memory left', remedy: 'give it more memory' },
  {
    codes: ['53300'],
    state: 'accepts no more connections',
    remedy: 'raise max_connections or the limit of the role, or lower DATABASE_CONNECTIONS or the number of processes',
  },
  { codes: ['55P03', '57014', '25P03', '25P04'], state: 'took too long', remedy: WAIT },
  { codes: ['57P01', '57P02', '57P03', '57P05'], state: 'is starting or stopping', remedy: WAIT },
  { codes: CONFLICTS, state: 'rolled back a transaction because of a concurrent one', remedy: 'try again' },
  { codes: ['LOADING'], state: 'is loading its data', remedy: WAIT },
  { codes: ['MASTERDOWN', 'NOREPLICAS'], state: 'has lost its primary or its replicas', remedy: WAIT },
  { codes: ['MISCONF'], state: 'cannot save to its disk', remedy: 'free disk space, or set `save ""`' },
  {
    codes: CLUSTER_CODES,
    state: 'is a cluster',
    remedy: 'use a Redis without cluster mode, or Sentinels',
  },
]

const UNKNOWN: Omit<Condition, 'codes'> = { state: 'is unavailable', remedy: 'see its log' }
const BY_CODE = new Map(CONDITIONS.flatMap((condition) => condition.codes.map((code) => [code, condition])))

const STORE_NAMES = { postgres: 'PostgreSQL', redis: 'Redis', files: 'The storage of files' }

interface StoreErrorOptions extends ErrorOptions {
  code?: string
  isOutcomeUnknown?: boolean
}

/**
 * A store cannot serve the call at the moment. HTTP responds with 503 and `Retry-After`; nothing was changed, unless
 * `isOutcomeUnknown`: a commit was sent and not answered. The message is in our words, such as "PostgreSQL is read-only"; the store's own words are in `cause`.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly code: string
  /** Such as `is read-only`. */
  readonly state: string
  readonly remedy: string
  readonly isOutcomeUnknown: boolean

  constructor(
    readonly store: keyof typeof STORE_NAMES,
    { code = NO_RESPONSE, cause, isOutcomeUnknown = false }: StoreErrorOptions = {},
  ) {
    const { state, remedy } = BY_CODE.get(code) ?? UNKNOWN
    super(`${STORE_NAMES[store]} ${state}`, { cause })
    this.code = code
    this.state = state
    this.remedy = remedy
    this.isOutcomeUnknown = isOutcomeUnknown
  }
}

/** PostgreSQL reports these after it has undone what it was doing. After the others the connection is lost without a report. */
const REPORTED = /^(?!08|57P)[0-9A-Z]{5}$/

/** The error of a commit, or of a statement that is its own transaction, which was sent: it may have happened all the same. */
export const asUnconfirmed = (error: unknown): unknown =>
  error instanceof StoreUnavailable && !REPORTED.test(error.code)
    ? new StoreUnavailable(error.store, { code: error.code, cause: error, isOutcomeUnknown: true })
    : error

/** The error code of PostgreSQL or of the socket, if there is one. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Replaces a temporary error of PostgreSQL or its driver by {@link StoreUnavailable}. */
export function asStoreError(error: unknown): unknown {
  const code = errorCode(error)
  if (error instanceof StoreUnavailable || code === undefined || !BY_CODE.has(code)) return error
  return new StoreUnavailable('postgres', { code, cause: error })
}

/** The error of a call to Redis. Redis only holds wake-ups and counters: after a failure it is not used for now. */
export function asRedisError(error: unknown): StoreUnavailable {
  const reply = error instanceof Error ? /^(?:Ready check failed: )?([A-Z]{2,})\b/.exec(error.message)?.[1] : undefined
  const code = [errorCode(error), reply].find((known) => known !== undefined && BY_CODE.has(known))
  return new StoreUnavailable('redis', { code: code ?? 'unknown', cause: error })
}

/** PostgreSQL's undefined_table and undefined_function. */
const OLD_SCHEMA = new Set(['42P01', '42883'])

/** Whether the database is older than the program. */
export const isOldSchema = (error: unknown): boolean => OLD_SCHEMA.has(errorCode(error) ?? '')

/** Whether the statement or transaction was rolled back and may succeed when it runs again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof StoreUnavailable && CONFLICTS.includes(error.code)
