// What is said of every kind of error.

/** One thing wrong with one field: `path` as in `customer.email` or `query.limit`. */
export interface FieldError {
  path: string
  message: string
}

/** What callers may be told of one error. All of it is public: `/problems/{code}` shows it. */
export interface ErrorKind {
  /** The HTTP status. */
  status: number
  /** The problem's short name (RFC 9457). */
  title: string
  /** The JSON-RPC code of the agent servers. */
  rpc: number
  /** When this is answered. */
  meaning: string
  /** What the caller does about it. Text in backquotes is code. */
  remedy: string
  /** The members of an answer that differ from case to case, as one case has them. */
  example: { detail: string; errors?: FieldError[]; [extension: string]: unknown }
}
