// `hearth mail test`: sends one e-mail, or says what to correct.
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { findFreePort } from '../../src/local/ports.ts'
import { type SmtpReceiver, openSmtpReceiver } from '../support/smtp-receiver.ts'

const CLI = join(import.meta.dir, '../../src/cli.ts')
const receivers: SmtpReceiver[] = []
afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())))

/** Runs the command without stores: sending a test needs none. */
async function mailTest(address: string, url: string) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HEARTH_HOME: '/nonexistent',
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
    REDIS_URL: 'redis://127.0.0.1:9',
    MAIL_URL: url,
    MAIL_FROM: 'Hearth <hello@hearth.example>',
  }
  const child = Bun.spawn([process.execPath, CLI, 'mail', 'test', address], { env, stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { output, errors, code }
}

test('the answer of the mail server is printed, and the message arrives', async () => {
  const receiver = await openSmtpReceiver()
  receivers.push(receiver)
  const { output, code } = await mailTest('Someone@Example.com', receiver.url)
  expect(output).toMatch(/^127\.0\.0\.1:\d+ accepted the message to someone@example\.com: 250 /)
  expect(code).toBe(0)
  expect(receiver.to('someone@example.com')[0]?.mail.subject).toBe('E-mail works')
}, 30_000)

test('a server that cannot be used is named with the remedy, and no address is no address', async () => {
  const { errors, code } = await mailTest('a@example.com', `smtp://127.0.0.1:${await findFreePort()}`)
  expect(errors).toMatch(/^Not sent: 127\.0\.0\.1:\d+ refuses connections → correct host and port in MAIL_URL/)
  expect(code).toBe(1)
  expect((await mailTest('unknown', 'smtp://127.0.0.1')).errors).toContain('"unknown" is no e-mail address.')
}, 30_000)
