// TCP ports of this machine: which are taken, which are free.
import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'

/**
 * Whether somebody serves on this port, found in two ways: by calling there and by binding it alone. Bun's HTTP server
 * sets SO_REUSEPORT, so that a plain listen next to a forgotten server would succeed and share its connections.
 */
export async function isPortTaken(port: number, host = '127.0.0.1'): Promise<boolean> {
  const callable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return (await answers(port, callable)) || (await bindError(port, host)) === 'EADDRINUSE'
}

/** Why this port cannot be bound (`EADDRINUSE`, `EACCES`, …), or undefined when it can. */
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

/** Below what systems take for outgoing connections: nobody's connection sits on a port whose owner is away for a moment. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000]
const ATTEMPTS = 100

/** A port of the loopback that nobody uses: `preferred` when it is free, or any. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred && !(await isPortTaken(preferred))) return preferred
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (!(await isPortTaken(port))) return port
  }
  throw new Error(`none of ${ATTEMPTS} ports between ${FIRST_PORT} and ${LAST_PORT} is free`)
}
