// An HTTP/1.1 client that retries nothing: a connection that is reset or closed before its response is complete is an error.

export interface HttpResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface HttpRequest {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends requests one after another, on one connection until the server announces its end. */
export interface HttpClient {
  /** Throws when the connection ends before the response. */
  send(request: HttpRequest): Promise<HttpResponse>
  close(): void
}

export interface HttpClientOptions {
  /** Without it each request has its own connection. */
  keepAlive: boolean
  /** The time between connecting and sending, as over a network. */
  latencyMs: number
}

/** A client of the server of `url`. */
export function openHttpClient(url: string, { keepAlive, latencyMs }: HttpClientOptions): HttpClient {
  let connection: Connection | undefined
  return {
    send: async (request) => {
      if (!connection) {
        connection = await openConnection(url)
        await Bun.sleep(latencyMs)
      }
      const response = await connection.exchange(textOf(request, keepAlive)).catch((error: unknown) => {
        connection = undefined
        throw error
      })
      if (!keepAlive || response.headers.get('connection') === 'close') {
        connection.close()
        connection = undefined
      }
      return response
    },
    close: () => connection?.close(),
  }
}

interface Connection {
  exchange(text: string): Promise<HttpResponse>
  close(): void
}

async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const decoder = new TextDecoder()
  let received = ''
  let waiting: PromiseWithResolvers<HttpResponse> | undefined
  const end = (reason: string) => waiting?.reject(new Error(`The connection ended before the response: ${reason}.`))
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => {
        received += decoder.decode(bytes, { stream: true })
        const response = parse(received)
        if (response) waiting?.resolve(response)
      },
      error: (_, error) => end(error.message),
      close: () => end('closed'),
    },
  })
  return {
    exchange: async (text) => {
      received = ''
      waiting = Promise.withResolvers()
      if (socket.write(text) !== text.length) end('not writable')
      return await waiting.promise
    },
    close: () => socket.end(),
  }
}

function textOf({ method = 'GET', path, headers = {}, body }: HttpRequest, keepAlive: boolean): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: hearth', `Connection: ${keepAlive ? 'keep-alive' : 'close'}`]
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`)
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n${content}`
}

/** The response, or undefined while it is incomplete. Hearth sends a length with every response of these tests. */
function parse(text: string): HttpResponse | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = text.slice(headEnd + 4)
  if (Buffer.byteLength(body) < Number(headers.get('content-length'))) return undefined
  return { status: Number(statusLine.split(' ')[1]), headers, body }
}
