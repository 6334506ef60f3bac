// `hearth webhooks listen`: a receiver on this machine that verifies deliveries and prints them, for trying webhooks out.
import { verify } from '../webhooks/delivery/signature.ts'
import { UsageError } from './failure.ts'

interface ListenOptions {
  port: string
  secret: string
  json?: boolean
}

/** Bodies are a few kilobytes; whoever sends more is not Hearth. */
const MAX_BODY_BYTES = 1024 * 1024

/** Listens on a loopback port until it is stopped. What is not signed with the secret is answered 400, and said so. */
export async function runWebhooksListen({ port, secret, json }: ListenOptions): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError(`--port takes 0 to 65535, not "${port}".`)
  if (!secret.startsWith('whsec_')) throw new UsageError('--secret takes the secret of an endpoint: whsec_…')
  const seen = new Set<string>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: Number(port),
    maxRequestBodySize: MAX_BODY_BYTES,
    fetch: async (request) => {
      if (request.method !== 'POST') return new Response('Deliveries come by POST.\n', { status: 405 })
      const body = Buffer.from(await request.arrayBuffer())
      const verdict = verify(request.headers.get('x-webhook-signature') ?? '', body, [secret], new Date())
      const id = request.headers.get('x-webhook-id') ?? ''
      console.log(json ? jsonLine(request, body, verdict) : textOf(request, body, verdict, seen.has(id)))
      if (!verdict.valid) return new Response(`${verdict.reason}\n`, { status: 400 })
      seen.add(id)
      return new Response('ok\n')
    },
  })
  const url = `http://127.0.0.1:${server.port}/`
  console.error(`Listening on ${url}. An endpoint with this URL needs WEBHOOK_ALLOW_PRIVATE=1. Ctrl-C ends it.`)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await server.stop(true)
}

type Verdict = ReturnType<typeof verify>

function textOf({ headers }: Request, body: Buffer, verdict: Verdict, isRepeated: boolean): string {
  const what = `${headers.get('x-webhook-event') ?? 'no event'}  ${headers.get('x-webhook-id') ?? ''}`
  const judged = verdict.valid ? 'signature valid' : `REFUSED: ${verdict.reason}`
  return `${what}  ${judged}${isRepeated ? ', seen before' : ''}\n${indented(body.toString('utf8'))}`
}

const jsonLine = ({ headers }: Request, body: Buffer, verdict: Verdict): string =>
  JSON.stringify({
    id: headers.get('x-webhook-id'),
    event: headers.get('x-webhook-event'),
    ...verdict,
    body: body.toString(),
  })

/** JSON over several lines; anything else as it came. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
