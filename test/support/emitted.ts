// Records in a folder what the servers of a test run emit (logs, traces, problem documents), and searches it for secrets.
import { appendFileSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The kinds of emitted texts. Each kind has its own folder. */
export const KINDS = ['logs', 'traces', 'problems'] as const
export type EmittedKind = (typeof KINDS)[number]

/** The variable that names the folder; without it nothing is recorded. */
export const EMITTED_VARIABLE = 'HEARTH_TEST_OUTPUT'

let fileCount = 0

/** Empties the folder and returns the variable that makes the tests' processes record there. */
export function emptyEmittedFolder(folder: string): Record<string, string> {
  rmSync(folder, { recursive: true, force: true })
  for (const kind of KINDS) mkdirSync(join(folder, kind), { recursive: true })
  return { [EMITTED_VARIABLE]: folder }
}

/** Opens a file for one source, such as a server process, and returns a function that appends to it. */
export function recordEmitted(
  kind: EmittedKind,
  folder = process.env[EMITTED_VARIABLE],
): (text: string | Uint8Array) => void {
  if (!folder) return () => undefined
  const file = join(folder, kind, `${process.pid}-${performance.now().toFixed(0)}-${fileCount++}`)
  return (text) => appendFileSync(file, text)
}

/**
 * Secrets and personal data by format. Every address and number in the tests' requests has one of these formats, and so
 * does every key, code and password that tests create.
 */
const FORBIDDEN: Record<string, RegExp> = {
  'an API key or token': /hearth_(live|test|access|refresh|code)_[0-9A-Za-z]{6,}/g,
  'a webhook secret': /whsec_[\w+/=-]{6,}/g,
  'a payment secret': /\b(sk|rk)_(live|test)_\w{6,}|\bpi_\w+_secret_\w+/g,
  'a bearer token': /\bBearer +(?!realm)[\w.~+/=-]{8,}/gi,
  'an e-mail address': /[\w.+'-]+@[\w-]+(\.[\w-]+)*\.(example|com|org|net)\b/gi,
  'a phone number': /(?<![\w.-])(\+?1?[ .(-]*\d{3}[ .)-]+)?555[ .-]\d{4}(?![\w-])/g,
  'a confirmation code': /\bHTH-[0-9A-HJKMNP-TV-Z]{12}\b/g,
  'a password in a URL': /\b\w+:\/\/[^\s:/@"]*:[^\s/@"]+@/g,
}

/** Returns each secret in the folder with its kind, file and line. The line is shown without the secret. */
export function findSecrets(folder: string): string[] {
  return emittedFiles(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => secretsIn(line).map(({ what, shown }) => `${what} in ${file}:${index + 1}: ${shown}`)),
  )
}

/** The kinds without a recording. A search for secrets proves nothing about them. */
export const missingKinds = (folder: string): EmittedKind[] =>
  KINDS.filter((kind) => !emittedFiles(folder).some((file) => file.startsWith(`${kind}/`)))

const emittedFiles = (folder: string): string[] =>
  KINDS.flatMap((kind) => readdirSync(join(folder, kind)).map((file) => `${kind}/${file}`))

const CONTEXT = 120

function secretsIn(line: string): { what: string; shown: string }[] {
  return Object.entries(FORBIDDEN).flatMap(([what, pattern]) =>
    Array.from(line.matchAll(pattern), ({ index, 0: found }) => {
      const before = line.slice(Math.max(0, index - CONTEXT), index)
      return { what, shown: `${before}‹${what}›${line.slice(index + found.length, index + found.length + CONTEXT)}` }
    }),
  )
}
