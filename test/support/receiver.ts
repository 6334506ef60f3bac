// A receiver of webhooks: a real HTTP server that keeps what it got, byte for byte, and answers as it is told.

export interface Received {
  body: string
  headers: Record<string, string>
  path: string
  atMs: number
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** What it answers from now on; 200 unless told. */
  answer: (request: Received) => Response | Promise<Response>
  stop(): Promise<void>
}

/** Starts one on a free loopback port. */
export function openReceiver(): Receiver {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const headers = Object.fromEntries(request.headers)
      const got = { body: await request.text(), headers, path: new URL(request.url).pathname, atMs: Date.now() }
      received.push(got)
      return await receiver.answer(got)
    },
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}`,
    received,
    answer: () => new Response('ok'),
    stop: () => server.stop(true),
  }
  return receiver
}
