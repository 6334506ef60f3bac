// `hearth webhooks listen`: a local receiver that verifies and prints deliveries.
import { type SignatureCheck, verify, verifyStandard } from '../webhooks/delivery/signature.ts'
import { UsageError } from './failure.ts'

interface ListenOptions {
  port: string
  secret: string
  json?: boolean
}

/** Hearth's bodies are a few kilobytes. */
const MAX_BODY_BYTES = 1024 * 1024

/** Listens on a loopback port until a signal. Answers 400 to requests that are not signed with the secret. */
export async function runWebhooksListen({ port, secret, json }: ListenOptions): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port must be 0 to 65535, not "${port}".`)
  if (!secret.startsWith('whsec_')) throw new UsageError('--secret must be the secret of an endpoint: whsec_…')
  const seen = new Set<string>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: Number(port),
    maxRequestBodySize: MAX_BODY_BYTES,
    fetch: async (request) => {
      if (request.method !== 'POST') return new Response('Send deliveries with POST.\n', { status: 405 })
      const body = Buffer.from(await request.arrayBuffer())
      const result = verifyHeaders(request.headers, body, secret)
      const id = request.headers.get('x-webhook-id') ?? ''
      console.log(json ? jsonLine(request, body, result) : textOf(request, body, result, seen.has(id)))
      if (!result.valid) return new Response(`${result.reason}\n`, { status: 400 })
      seen.add(id)
      return new Response('ok\n')
    },
  })
  const url = `http://127.0.0.1:${server.port}/`
  console.error(
    `Listening on ${url}. A server that others reach takes this URL with WEBHOOK_ALLOW_PRIVATE=1. Press Ctrl-C to stop.`,
  )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await server.stop(true)
}

/** Deliveries are signed in both schemes: each that a request has must be valid. */
function verifyHeaders(headers: Headers, body: Buffer, secret: string): SignatureCheck {
  const now = new Date()
  const own = verify(headers.get('x-webhook-signature') ?? '', body, [secret], now)
  const signature = headers.get('webhook-signature')
  if (signature === null || !own.valid) return own
  const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? '']
  return verifyStandard({ id, timestamp, signature }, body, [secret], now)
}

function textOf({ headers }: Request, body: Buffer, result: SignatureCheck, isRepeated: boolean): string {
  const title = `${headers.get('x-webhook-event') ?? 'no event'}  ${headers.get('x-webhook-id') ?? ''}`
  const outcome = result.valid ? 'signature valid' : `REJECTED: ${result.reason}`
  return `${title}  ${outcome}${isRepeated ? ', seen before' : ''}\n${indented(body.toString('utf8'))}`
}

const jsonLine = ({ headers }: Request, body: Buffer, result: SignatureCheck): string =>
  JSON.stringify({
    id: headers.get('x-webhook-id'),
    event: headers.get('x-webhook-event'),
    ...result,
    body: body.toString(),
  })

/** Pretty-prints JSON; returns any other text unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
