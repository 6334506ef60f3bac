// The error for a PostgreSQL or Redis that does not answer.

/** A store did not answer in time. HTTP responds with 503 and `Retry-After`; nothing was acknowledged. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor(
    readonly store: 'postgres' | 'redis',
    options?: ErrorOptions,
  ) {
    super(`${store} is unavailable`, options)
  }
}

const UNAVAILABLE = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'EAGAIN', // the queue of the socket is full
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '53300', // too_many_connections
  '55P03', // lock_not_available (lock_timeout)
  '57014', // query_canceled (statement_timeout)
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
])

/** The error code of PostgreSQL or of the socket, if there is one. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Replaces an error of the driver that means "try later" by {@link StoreUnavailable}. */
export const asStoreError = (error: unknown): unknown =>
  UNAVAILABLE.has(errorCode(error) ?? '') ? new StoreUnavailable('postgres', { cause: error }) : error
