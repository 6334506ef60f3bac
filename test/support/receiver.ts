// A receiver of webhooks: an HTTP server that keeps each raw request and responds as the test decides.

export interface Received {
  body: string
  headers: Record<string, string>
  path: string
  atMs: number
  /** True once the response is sent or the sender has disconnected. */
  hasEnded: boolean
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Returns the response to each request from now on; 200 by default. */
  answer: (request: Received) => Response | Promise<Response>
  stop(): Promise<void>
}

/** Starts a receiver on a free port. */
export function openReceiver(hostname = '127.0.0.1'): Receiver {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname,
    fetch: async (request) => {
      const headers = Object.fromEntries(request.headers)
      const { pathname: path } = new URL(request.url)
      const got: Received = { body: await request.text(), headers, path, atMs: Date.now(), hasEnded: false }
      request.signal.addEventListener('abort', () => (got.hasEnded = true))
      received.push(got)
      const response = await receiver.answer(got)
      got.hasEnded = true
      return response
    },
  })
  const receiver: Receiver = {
    url: `http://${hostname}:${server.port}`,
    received,
    answer: () => new Response('ok'),
    stop: () => server.stop(true),
  }
  return receiver
}
