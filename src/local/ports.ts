// Free and taken TCP ports of this machine.
import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'

/**
 * Whether a server uses this port. Tries to connect and to bind exclusively: Bun's HTTP server sets SO_REUSEPORT, so a
 * plain listen beside a forgotten server would succeed and share its connections.
 */
export async function isPortTaken(port: number, host = '127.0.0.1'): Promise<boolean> {
  const target = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return (await answers(port, target)) || (await bindError(port, host)) === 'EADDRINUSE'
}

/** The error code of binding this port (`EADDRINUSE`, `EACCES`, …), or undefined when it can be bound. */
export function bindError(port: number, host = '127.0.0.1'): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

function answers(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    const end = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(1000, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** Below the range of outgoing connections, so that no connection occupies the port while its server restarts. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000]
const ATTEMPTS = 100

/** A free port of the loopback interface: `preferred` when it is free, or any other. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred && !(await isPortTaken(preferred))) return preferred
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (!(await isPortTaken(port))) return port
  }
  throw new Error(`none of ${ATTEMPTS} ports between ${FIRST_PORT} and ${LAST_PORT} is free`)
}
