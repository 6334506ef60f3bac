// Clients that send a request in small pieces, with pauses, and often give up in the middle.
import type { Random } from '../../../src/local/seed/random.ts'
import { openRawSocket } from '../raw-socket.ts'

const PIECES = 12

/** Sends the bytes slowly. Returns what the server answered until it or the client closed the connection. */
export async function sendSlowly(url: string, random: Random, bytes: Uint8Array): Promise<string> {
  const socket = await openRawSocket(url)
  const text = Buffer.from(bytes).toString('latin1')
  const size = Math.ceil(text.length / PIECES)
  const end = random.chance(0.5) ? text.length : random.integer(1, text.length)
  let isOver = false
  void socket.closed.then(() => (isOver = true))
  for (let at = 0; at < end && !isOver; at += size) {
    await socket.write(text.slice(at, Math.min(at + size, end)))
    // The pause is the point: this client is slow.
    await Bun.sleep(random.integer(20, 400))
  }
  socket.destroy()
  return await socket.closed
}
