// A bare machine after `hearth setup` as its visitors reach it: by Caddy with a certificate of its own authority, in a browser that
// takes the domain for the machine. Its mail server keeps what it gets.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Browser, chromium } from 'playwright-core'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type BareMachine, startBareMachine } from './bare-machine.ts'
import { FLAGS, findBrowser } from './browser.ts'

const READY_MS = 120_000
const MAIL_PORT = 2525

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface OpenedMachine {
  readonly machine: BareMachine
  readonly browser: Browser
  readonly url: string
  /** The link that setup printed. */
  readonly link: string
  /** The messages to an address, once there are so many. */
  mailsTo(address: string, count: number): Promise<Mail[]>
  close(): Promise<void>
}

/** The file is replaced at once, so that it is read whole. */
const KEEP_MAIL = `
  const { renameSync, writeFileSync } = await import('node:fs')
  const { openSmtpReceiver } = await import('/opt/hearth/test/support/smtp-receiver.ts')
  const server = await openSmtpReceiver({}, ${MAIL_PORT})
  const save = () => {
    const mails = server.received.map(({ to, mail }) => ({ to, subject: mail.subject, text: mail.text }))
    writeFileSync('/tmp/mails.new', JSON.stringify(mails))
    renameSync('/tmp/mails.new', '/tmp/mails.json')
  }
  save()
  setInterval(save, 250)`

/** Prepares the machine, starts everything on it and a browser. \`operator\` gets the link. */
export async function openMachine({
  domain,
  answers,
  operator,
  before = '',
}: {
  domain: string
  /** Further options of setup. */
  answers: string
  operator: string
  /** What the operator does on the machine after setup. */
  before?: string
}): Promise<OpenedMachine> {
  const machine = await startBareMachine()
  const folder = mkdtempSync(join(tmpdir(), 'hearth-browser-'))
  const stop = async () => {
    await machine.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const must = async (command: string) => {
      const { code, output } = await machine.run(command)
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`)
      return output
    }
    const { code, output } = await machine.setup(`--domain ${domain} --operator ${operator} ${answers}`)
    const link = /https:\S+\/console\/password\/[\w-]{43}/.exec(output)?.[0]
    if (code !== 0 || link === undefined) throw new Error(`Setup ended with ${code}: ${output}`)
    await must(`${before}
      cat >> /etc/hearth/hearth.env <<'LINES'
MAIL_URL=smtp://127.0.0.1:${MAIL_PORT}
MAIL_FROM=hello@${domain}
LINES
      redis-server --daemonize yes
      { echo '{\n\tlocal_certs\n\tskip_install_trust\n}'; cat /etc/caddy/Caddyfile; } > /tmp/Caddyfile
      HOME=/tmp caddy start --config /tmp/Caddyfile --adapter caddyfile > /tmp/caddy.log 2>&1
      cat > /tmp/mail.ts <<'SCRIPT'
${KEEP_MAIL}
SCRIPT
      bun /tmp/mail.ts > /tmp/mail.log 2>&1 &`)
    await machine.start('hearth-server@.service')
    await machine.start('hearth-workers.service')
    const ready = `bun -e "process.exit((await fetch('http://127.0.0.1:3000/readyz')).ok ? 0 : 1)"`
    if (!(await waitUntil(async () => (await machine.run(ready)).code === 0, READY_MS)))
      throw new Error(`The server is not ready: ${await must('cat /tmp/*.log')}`)
    const browser = await startBrowser(machine, folder, domain)
    return {
      machine,
      browser,
      link,
      url: `https://${domain}`,
      mailsTo: async (address, count) => {
        let mails: Mail[] = []
        await waitUntil(async () => {
          const all = JSON.parse((await machine.run('cat /tmp/mails.json')).output) as Mail[]
          mails = all.filter(({ to }) => to === address)
          return mails.length >= count
        }, READY_MS)
        return mails
      },
      close: async () => {
        await browser.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Chromium in the network of the machine, where the domain is the machine itself. */
async function startBrowser(machine: BareMachine, folder: string, domain: string): Promise<Browser> {
  const program = join(folder, 'chromium')
  const command = machine.inNetwork(await findBrowser()).map((word) => `'${word}'`)
  writeFileSync(program, `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`)
  chmodSync(program, 0o755)
  const rules = `--host-resolver-rules=MAP ${domain} 127.0.0.1`
  return await chromium.launch({ executablePath: program, headless: true, args: [...FLAGS, rules] })
}
