// The shape of one row of the error table.

/** One invalid field: `path` is such as `customer.email` or `query.limit`. */
export interface FieldError {
  path: string
  message: string
}

/** The public description of an error code; `/problems/{code}` shows it. */
export interface ErrorKind {
  /** The HTTP status. */
  status: number
  /** The problem's short name (RFC 9457). */
  title: string
  /** The JSON-RPC code of the agent servers. */
  rpc: number
  /** When the error occurs. */
  meaning: string
  /** What the caller can do. Text in backquotes is code. */
  remedy: string
  /** An example of the members that vary from case to case. */
  example: { detail: string; errors?: FieldError[]; [extension: string]: unknown }
}
