// Texts that libraries, the engine and stores put into errors. Answers have sentences of our own instead.

const LIBRARY_TEXTS: readonly RegExp[] = [
  // zod, TypeBox and the validators of the SDK.
  /Invalid input: expected|Invalid option: expected|expected \w+, received \w+|"?\binvalid_(type|union|value|format)\b/,
  /Expected (value to|kind|union|required property|property name|string|number|integer|boolean|object|array|'|")/,
  /ZodError|ValueError|TypeBox|Unable to (decode|convert)|"\$?schemaPath"|must NOT have/,
  // The engine: JSON, URLs, dates, ids, and stack traces.
  /JSON Parse error|Unexpected (token|end|identifier|EOF)|Unterminated string|Unable to parse JSON|Invalid (URL|Date)\b/,
  /undefined is not|null is not|is not (a function|an object|iterable)|Cannot (read|convert)|\b(Type|Range|Syntax|URI)Error\b/,
  /\n\s+at \S+|\\n\s+at \S+|node_modules|\.(ts|mjs|js):\d+/,
  // PostgreSQL and Redis.
  /\brelation "|\bcolumn "|violates (check|unique|foreign|not-null|exclusion)|invalid (input syntax|byte sequence)/,
  /syntax error at|out of range for type|PostgresError|SQLSTATE|ReplyError|\bE(CONN|PIPE)\w+/,
]

/** The texts of libraries in the body of an error. */
export const libraryTextsIn = (body: string): string[] =>
  LIBRARY_TEXTS.flatMap((pattern) => {
    const found = pattern.exec(body)
    return found ? [body.slice(Math.max(0, found.index - 60), found.index + 100)] : []
  })

/** Whether the body of a response with status 200 is an error nevertheless, as those of agent servers are. */
export const isRpcError = (body: string): boolean =>
  body.startsWith('{"jsonrpc"') && (body.includes('"error":{') || body.includes('"isError":true'))
