// Secrets and personal data stay out of logs, traces and errors. The test run searches its whole output for them; these tests
// check that the search finds them, and that errors and crashes are logged without them.
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { generateKey } from '../../src/auth/keys/format.ts'
import { withoutPersonalData } from '../../src/platform/telemetry/log-errors.ts'
import { KINDS, findSecrets, missingKinds, emptyEmittedFolder } from '../support/emitted.ts'

const KEY = generateKey('live', new Uint8Array(64).fill(7))

/** Examples of secrets and personal data. */
const SECRETS: [kind: string, text: string][] = [
  ['an API key or token', KEY],
  ['an API key or token', generateKey('refresh', new Uint8Array(64).fill(7))],
  ['a webhook secret', 'whsec_C2FVsBQIhrscChlQIMV'],
  ['a payment secret', 'sk_test_4eC39HqLyjWDarjtT1zdp7dc'],
  ['a payment secret', 'pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH'],
  ['a bearer token', 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30'],
  ['an e-mail address', 'Key (email)=(booked.by+tag@mail.test.example)'],
  ['a phone number', '+1 (512) 555-0142'],
  ['a phone number', '555-0100'],
  ['a confirmation code', 'HTH-0123456789AB'],
  ['a password in a URL', 'postgres://hearth:hunter2@127.0.0.1:5432/hearth'],
]

/** Harmless lines from real logs. */
const HARMLESS = [
  '{"level":"info","time":"2026-11-20T07:43:46.700Z","traceId":"a052fff5e0aef50705581a74a8d735b5","msg":"stopped"}',
  '{"url":"http://127.0.0.1:45551","opsUrl":"http://127.0.0.1:40555","pid":5555555,"msg":"listening"}',
  '{"startTimeUnixNano":"1795555555000000000","spanId":"5550142a5550142b","key":"hearth.key_id"}',
  '{"type":"http://127.0.0.1:3000/problems/invalid_key","detail":"Send the key as `Authorization: Bearer <API_KEY>`."}',
  '    at run (/srv/node_modules/@scope/name.example/index.js:555:1234) https://example.com/a?b=c@d',
]

/** Searches these lines. */
function search(lines: string[]): { found: string[]; missing: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-emitted-'))
  try {
    emptyEmittedFolder(folder)
    writeFileSync(join(folder, 'logs', '1'), lines.join('\n'))
    return { found: findSecrets(folder), missing: missingKinds(folder) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the search of the test run’s output', () => {
  test.each(SECRETS)('finds %s: %s', (kind, text) => {
    const { found } = search(['{"msg":"fine"}', `{"msg":"before ${text} after"}`])
    expect(found).toContainEqual(expect.stringContaining(`${kind} in logs/1:2: `))
    expect(found.join('\n')).toContain('before ')
  })

  test('does not print the secrets it finds', () => {
    expect(search([`the key ${KEY} and no more`]).found).toEqual([
      'an API key or token in logs/1:1: the key ‹an API key or token› and no more',
    ])
  })

  test('finds nothing in harmless lines', () => {
    expect(search(HARMLESS).found).toEqual([])
  })

  test('reports kinds of output that are missing', () => {
    expect(search(['a line']).missing).toEqual(KINDS.filter((kind) => kind !== 'logs'))
  })
})

describe('a log line', () => {
  test.each(SECRETS)('of an error does not contain %s: %s', (_, text) => {
    expect(search([withoutPersonalData(`failed with "${text}", sorry`)]).found).toEqual([])
  })

  test.each(['exception', 'rejection'])(
    'is the only output of an uncaught %s, without the data that it quotes',
    async (kind) => {
      const program = join(import.meta.dir, '../support/crashing-program.ts')
      const child = Bun.spawn([process.execPath, program, kind], { stdout: 'pipe', stderr: 'pipe' })
      const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
      expect([code, stderr]).toEqual([1, ''])
      const line = JSON.parse(stdout) as { level: string; msg: string; err: { code: string } }
      expect(line).toMatchObject({ level: 'fatal', msg: 'crashed', err: { code: '23505' } })
      expect(search([stdout]).found).toEqual([])
    },
  )
})
