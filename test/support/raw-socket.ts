// A client for requests that no HTTP library sends: half requests, single bytes, connections left open.

export interface RawSocket {
  /** Resolves when the bytes are sent or the connection is closed. */
  write(text: string): Promise<void>
  /** Terminates the connection. */
  destroy(): void
  /** Everything received so far. */
  received(): string
  /** Resolves with everything received once the connection is closed. */
  readonly closed: Promise<string>
}

/** Connects to the server of `url`. */
export async function openRawSocket(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url)
  const closed = Promise.withResolvers<string>()
  const decoder = new TextDecoder()
  let output = ''
  let isOpen = true
  let drained = Promise.withResolvers<void>()
  const end = () => {
    isOpen = false
    drained.resolve()
    closed.resolve(output)
  }
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => void (output += decoder.decode(bytes, { stream: true })),
      drain: () => drained.resolve(),
      close: end,
      end,
      error: end,
    },
  })
  return {
    write: async (text) => {
      let rest = new TextEncoder().encode(text)
      while (isOpen) {
        drained = Promise.withResolvers<void>()
        const written = socket.write(rest)
        if (written < 0) return
        rest = rest.subarray(written)
        if (rest.length === 0) return
        await drained.promise
      }
    },
    destroy: () => {
      socket.terminate()
      end()
    },
    received: () => output,
    closed: closed.promise,
  }
}
