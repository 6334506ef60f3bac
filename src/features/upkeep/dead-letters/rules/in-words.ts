// What a dead letter was about and why it failed, in words for operators.

/** What each worker does, as the end of "could not …". */
const WORK: Readonly<Record<string, string>> = {
  'relay-outbox': 'pass an event on',
  'deliver-webhooks': 'send webhooks',
  'send-messages': 'send messages',
  'refresh-pricing': 'compare prices',
  'meter-agent-tasks': 'count agent tasks',
  'run-agent-tasks': 'run an agent’s task',
  'sync-calendars': 'read calendars',
  'decode-files': 'prepare pictures',
  'sweep-expired': 'clean up',
}

/** What the worker could not do: "run an agent’s task". */
export const workInWords = (worker: string): string => WORK[worker] ?? 'do a task of another version'

/** What an error says of the inside of the server: stores, statements, libraries, files. */
const INTERNAL =
  /postgres|\bpg_|\bsql|redis|bullmq|typebox|node|\bbun\b|\.(ts|js|mjs|sql)\b|relation|column|constraint|syntax|undefined|null|not a function|cannot read|JSON|\/\w+\//i

/** A code of the system, such as ENOENT. */
const SYSTEM_CODE = /\bE[A-Z]{4,}\b/

/** The first line of an error without the name of its class; a general sentence where it names internals. */
export function errorInWords(error: string): string {
  const [line = ''] = error.split('\n')
  const said = line.replace(/^(\w*(Error|Exception)|AppError)(: |$)/, '').trim()
  const isInternal = said === '' || INTERNAL.test(said) || SYSTEM_CODE.test(said)
  return isInternal ? 'A fault within the server. Its log has the details.' : said
}
