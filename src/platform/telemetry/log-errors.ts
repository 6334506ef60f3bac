// Serializes errors for the log: enough to find the fault, without data that a caller sent.
import { pino } from 'pino'

/** Keys first: their digits look like phone numbers, and a password in a URL may look like an e-mail address. */
const PERSONAL: [RegExp, string][] = [
  [/hearth_(live|test|access|refresh|code)_\w+/g, 'hearth_$1_…'],
  [/\b(whsec|sk_live|sk_test|rk_live|rk_test)_[\w+/=-]+/g, '$1_…'],
  [/\b(pi_\w+_secret)_\w+/g, '$1_…'],
  [/\b(Bearer|Basic) +[\w.~+/=-]+/gi, '$1 …'],
  [/\bHTH-\w{12}\b/g, 'HTH-…'],
  [/(?<=\w:\/\/)[^\s/@]*:[^\s/@]*@/g, '…@'],
  [/[^\s@"'(),:;<>=[\\\]]+@[^\s@"'(),:;<>[\\\]]+\.[a-z]{2,}/gi, '(e-mail)'],
  [/(?<![\w-])\+?\(?\d[\d\s().-]{6,}\d(?![\w-])/g, '(number)'],
]

/** Replaces keys, secrets, confirmation codes, e-mail addresses and possible phone numbers. */
export const withoutPersonalData = (text: string): string =>
  PERSONAL.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)

/**
 * pino's serializer for `err`. PostgreSQL quotes values in messages and puts whole rows into `detail`: of its errors only
 * the code, the schema names and the message without quoted parts are logged.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutPersonalData(String(error)) }
  const { type, stack } = pino.stdSerializers.err(error)
  const fromDatabase = error.name === 'PostgresError'
  const message = withoutPersonalData(fromDatabase ? error.message.replace(/"[^"]*"/g, '"…"') : error.message)
  const fields = error as Partial<Record<(typeof SAFE_FIELDS)[number], unknown>>
  return {
    type,
    message,
    ...Object.fromEntries(
      SAFE_FIELDS.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
    ),
    stack: withoutPersonalData(framesOf(stack)),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  }
}

/** Names that we or the schema chose. */
const SAFE_FIELDS = ['code', 'constraint_name', 'table_name', 'column_name', 'routine'] as const

/** The stack without the message at its start. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
