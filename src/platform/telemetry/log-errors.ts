// Errors as the log shows them: enough to find the fault, without what a caller sent.
import { pino } from 'pino'

/** Longest first: a key holds digits that would pass for a phone number, a password in a URL might pass for an e-mail address. */
const PERSONAL: [RegExp, string][] = [
  [/hearth_(live|test)_\w+/g, 'hearth_$1_…'],
  [/\b(whsec|sk_live|sk_test|rk_live|rk_test)_[\w+/=-]+/g, '$1_…'],
  [/\b(pi_\w+_secret)_\w+/g, '$1_…'],
  [/\b(Bearer|Basic) +[\w.~+/=-]+/gi, '$1 …'],
  [/\bHTH-\w{12}\b/g, 'HTH-…'],
  [/(?<=\w:\/\/)[^\s/@]*:[^\s/@]*@/g, '…@'],
  [/[^\s@"'(),:;<>=[\\\]]+@[^\s@"'(),:;<>[\\\]]+\.[a-z]{2,}/gi, '(e-mail)'],
  [/(?<![\w-])\+?\(?\d[\d\s().-]{6,}\d(?![\w-])/g, '(number)'],
]

/** `text` with keys, secrets, codes, e-mail addresses and whatever may be a phone number taken out. */
export const withoutPersonalData = (text: string): string =>
  PERSONAL.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)

/**
 * pino's serializer for `err`. PostgreSQL quotes values in an error's message and puts whole rows into its `detail`:
 * of its errors the code, the names of the schema and the message without what is quoted are kept.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutPersonalData(String(error)) }
  const { type, stack } = pino.stdSerializers.err(error)
  const fromDatabase = error.name === 'PostgresError'
  const message = withoutPersonalData(fromDatabase ? error.message.replace(/"[^"]*"/g, '"…"') : error.message)
  const known = error as Partial<Record<(typeof NAMED)[number], unknown>>
  return {
    type,
    message,
    ...Object.fromEntries(NAMED.flatMap((name) => (typeof known[name] === 'string' ? [[name, known[name]]] : []))),
    stack: withoutPersonalData(framesOf(stack)),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  }
}

/** What may be told of an error besides its message: names that we or the schema gave. */
const NAMED = ['code', 'constraint_name', 'table_name', 'column_name', 'routine'] as const

/** The stack without the message it begins with. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
