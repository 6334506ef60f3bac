// Sending by SMTP: with and without TLS and a login, and what is said when it does not work.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findFreePort } from '../../../src/local/ports.ts'
import { composeMail } from '../../../src/platform/mail/compose.ts'
import { mailOf } from '../../../src/platform/mail/mail-config.ts'
import { MailFailure } from '../../../src/platform/mail/mail-failure.ts'
import { openSmtp } from '../../../src/platform/mail/smtp.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../../support/certificate.ts'
import { type SmtpReceiver, openSmtpReceiver } from '../../support/smtp-receiver.ts'

const receivers: SmtpReceiver[] = []
const folder = mkdtempSync(join(tmpdir(), 'hearth-mail-'))
const authority = join(folder, 'authority.pem')
writeFileSync(authority, LOOPBACK_CERTIFICATE)
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()))
  rmSync(folder, { recursive: true })
})

const open = async (options?: Parameters<typeof openSmtpReceiver>[0]) => {
  const receiver = await openSmtpReceiver(options)
  receivers.push(receiver)
  return receiver
}

const TLS = { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE, disabledCommands: [] }
const LOGIN: Parameters<typeof openSmtpReceiver>[0] = {
  authOptional: false,
  onAuth: ({ username, password }, _session, done) =>
    username === 'hearth' && password === 'p@ss%/word'
      ? done(null, { user: username })
      : done(Object.assign(new Error('5.7.8 Wrong user or password'), { responseCode: 535 })),
}

const serverAt = (url: string) => {
  const { server } = mailOf({ MAIL_URL: url, MAIL_FROM: 'a@example.com' })
  if (!server) throw new Error('There is no server.')
  return server
}

/** What checking the server fails with: `kind: message → remedy`. */
async function failureAt(url: string, changes: object = {}): Promise<string> {
  const smtp = openSmtp({ ...serverAt(url), ...changes }, 1)
  try {
    await smtp.verify()
    return 'none'
  } catch (error) {
    return error instanceof MailFailure
      ? `${error.kind}: ${error.message} → ${error.remedy}`
      : `unexpected ${String(error)}`
  } finally {
    smtp.close()
  }
}

/** `hearth mail test` with its own trust store. */
async function mailTest(url: string, env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../support/send-mail.ts'), url], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, output: output + errors }
}

describe('a mail server', () => {
  test('that offers no TLS gets messages as they are', async () => {
    const receiver = await open()
    expect(await failureAt(receiver.url)).toBe('none')
    expect(await mailTest(receiver.url)).toMatchObject({ code: 0, output: expect.stringContaining('250') })
    expect(receiver.received).toHaveLength(1)
  })

  test.each(['smtp', 'smtps'])('with a trusted certificate and a login gets messages by %s', async (protocol) => {
    const receiver = await open({ ...TLS, ...LOGIN, secure: protocol === 'smtps' })
    const url = receiver.url.replace('//', '//hearth:p%40ss%25%2Fword@')
    const { code, output } = await mailTest(url, { NODE_EXTRA_CA_CERTS: authority })
    expect(output).toContain('250')
    expect(code).toBe(0)
    expect(receiver.received[0]?.isEncrypted).toBe(true)
  })

  test('whose certificate is not trusted gets nothing, and the remedy says what to do', async () => {
    for (const secure of [true, false]) {
      const receiver = await open({ ...TLS, secure })
      const failure = await failureAt(receiver.url)
      expect(failure).toStartWith(`setup: TLS with 127.0.0.1:${receiver.port} fails`)
      expect(failure).toContain('certificate')
    }
  })

  test('without TLS gets no password', async () => {
    const receiver = await open(LOGIN)
    const failure = await failureAt(receiver.url.replace('//', '//hearth:p%40ss@'), { requireTls: true })
    expect(failure).toMatch(/^setup: TLS with .* → use a port with STARTTLS or smtps:\/\//)
  })

  test('that refuses the login is told apart from one that has none', async () => {
    const withLogin = await open({ ...LOGIN, allowInsecureAuth: true })
    expect(await failureAt(withLogin.url.replace('//', '//hearth:wrong@'))).toMatch(
      /^setup: .* refuses the login: .* → correct user and password in MAIL_URL$/,
    )
    const without = await open({ disabledCommands: ['AUTH', 'STARTTLS'] })
    expect(await failureAt(without.url.replace('//', '//hearth:some@'))).not.toContain('some')
  })

  test('that is not there is named with what to correct, without the password', async () => {
    const port = await findFreePort()
    const refused = await failureAt(`smtp://hearth:hushhush@127.0.0.1:${port}`)
    expect(refused).toMatch(/^connection: 127\.0\.0\.1:\d+ refuses connections → correct host and port/)
    const unknown = await failureAt('smtp://hearth:hushhush@mail.invalid')
    expect(unknown).toMatch(/^connection: mail\.invalid:587 has no address: .* → correct the host in MAIL_URL$/)
    expect(refused + unknown).not.toContain('hushhush')
  }, 30_000)
})

describe('the settings', () => {
  const of = (url: string, from = 'Hearth <hello@example.com>') => mailOf({ MAIL_URL: url, MAIL_FROM: from })

  test('name host, port, login and sender', () => {
    expect(of('smtps://me%40example.com:a%3Ab@mail.example.com')).toEqual({
      server: {
        host: 'mail.example.com',
        port: 465,
        secure: true,
        requireTls: false,
        login: { user: 'me@example.com', password: 'a:b' },
      },
      from: { name: 'Hearth', address: 'hello@example.com' },
    })
    expect(of('smtp://u:p@mail.example.com:2525', 'x@example.com')).toMatchObject({
      server: { port: 2525, requireTls: true },
      from: { name: undefined, address: 'x@example.com' },
    })
    expect(of('smtp://u:p@[::1]').server).toMatchObject({ host: '::1', port: 587, requireTls: false })
    expect(mailOf({})).toMatchObject({ server: undefined, from: { address: 'hearth@localhost' } })
  })

  test.each([
    ['http://mail.example.com', 'x@example.com', /^MAIL_URL must be a URL that begins with smtp/],
    ['smtp://mail.example.com/path', 'x@example.com', /^MAIL_URL must have the form/],
    ['smtp://u:100%@mail.example.com', 'x@example.com', /^MAIL_URL has a user or password with a stray %/],
    ['smtp://mail.example.com', '', /^MAIL_FROM must be set when MAIL_URL is/],
    ['smtp://mail.example.com', 'unknown', /^MAIL_FROM must be an address/],
    ['smtp://mail.example.com', 'A <a@example.com>, B <b@example.com>', /^MAIL_FROM must be an address/],
  ])('%s and “%s” are refused with one line', (url, from, message) => {
    expect(() => of(url, from)).toThrow(message)
  })
})

test('an address is one recipient, whatever it contains', async () => {
  const mail = { subject: 'S\r\nBcc: x@example.com', text: 't', html: '<p>h</p>', attachments: [], date: new Date(0) }
  const source = await composeMail(
    { name: 'A, B', address: 'a@example.com' },
    { ...mail, to: 'odd"name,x@example.com', messageId: '1@example.com' },
  )
  const head = source.toString().split('\r\n\r\n')[0] ?? ''
  expect(head).not.toMatch(/^bcc:/im)
  expect(head.match(/^to: .*/im)?.[0]).not.toContain(', ')
})
