// Asks the package registry for known vulnerabilities of high or critical severity, and says so when it does not answer.
import { join } from 'node:path'

const TIMEOUT_MS = 20_000

const child = Bun.spawn([process.execPath, 'audit', '--audit-level=high'], {
  cwd: join(import.meta.dir, '..'),
  stdout: 'pipe',
  stderr: 'pipe',
  timeout: TIMEOUT_MS,
})
const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
const said = Bun.stripANSI(`${stdout}\n${stderr}`).trim()
// Bun has no exit code of its own for this.
const failure = /^error: .*/m.exec(said)?.[0] ?? (child.signalCode ? `no answer in ${TIMEOUT_MS / 1000} s` : undefined)
if (failure) process.stdout.write(`note: vulnerabilities were not asked for (${failure.replace('error: ', '')})\n`)
else {
  process.stdout.write(`${said}\n`)
  process.exitCode = code
}
