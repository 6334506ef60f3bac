// A service that speaks S3 over HTTP and keeps its objects in memory. It verifies each signature (AWS Signature Version 4) as S3 does.
import { createHash, createHmac } from 'node:crypto'

export interface FakeS3 {
  readonly url: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The variables of a site that keeps its files there. */
  readonly env: Record<string, string>
  /** The complete objects by key. */
  readonly objects: Map<string, Uint8Array>
  /** Uploads in parts that are neither completed nor aborted. */
  readonly parts: Map<string, Map<number, Uint8Array>>
  /** The requests that were answered 403. */
  readonly refused: string[]
  /** Answers before the service does; undefined lets it. */
  intercept: (request: Request) => Response | Promise<Response> | undefined
  /** The time by which signed addresses end: a test's. Bun's client knows the real one only. */
  now: () => Date
  close(): Promise<void>
}

const [BUCKET, REGION] = ['hearth-files', 'us-east-1']
const MAX_SKEW_MS = 15 * 60_000

export function openFakeS3(): FakeS3 {
  const accessKeyId = 'a-key-of-tests'
  const secretAccessKey = `secret/${crypto.randomUUID()}`
  const objects = new Map<string, Uint8Array>()
  const parts: FakeS3['parts'] = new Map()
  const refused: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const intercepted = await fake.intercept(request)
      if (intercepted) return intercepted
      const isAddress = new URL(request.url).searchParams.has('X-Amz-Signature')
      const given = isAddress ? signatureInAddress(request, fake.now()) : signatureInHeaders(request)
      const problem =
        typeof given === 'string' ? given : signatureProblem(request, given, { accessKeyId, secretAccessKey })
      if (problem !== undefined) {
        refused.push(`${request.method} ${request.url}: ${problem}`)
        return xml(403, problem)
      }
      return await answer(request, objects, parts)
    },
  })
  const fake: FakeS3 = {
    url: server.url.origin,
    bucket: BUCKET,
    accessKeyId,
    secretAccessKey,
    env: {
      FILES_S3_BUCKET: BUCKET,
      FILES_S3_ENDPOINT: server.url.origin,
      FILES_S3_ACCESS_KEY_ID: accessKeyId,
      FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    objects,
    parts,
    refused,
    intercept: () => undefined,
    now: () => new Date(),
    close: () => server.stop(true),
  }
  return fake
}

const xml = (status: number, code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status })

async function answer(request: Request, objects: FakeS3['objects'], parts: FakeS3['parts']): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (!pathname.startsWith(`/${BUCKET}/`)) return xml(404, 'NoSuchBucket')
  const key = decodeURIComponent(pathname.slice(BUCKET.length + 2))
  const uploadId = searchParams.get('uploadId')
  const upload = uploadId === null ? undefined : parts.get(uploadId)
  if (uploadId !== null && !upload) return xml(404, 'NoSuchUpload')
  const object = objects.get(key)
  switch (request.method) {
    case 'POST':
      if (upload && uploadId !== null) {
        await request.bytes()
        objects.set(key, Buffer.concat([...upload].sort(([one], [other]) => one - other).map(([, bytes]) => bytes)))
        parts.delete(uploadId)
        return new Response('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>')
      } else {
        const id = crypto.randomUUID()
        parts.set(id, new Map())
        return new Response(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
      }
    case 'PUT': {
      const bytes = await request.bytes()
      if (upload) upload.set(Number(searchParams.get('partNumber')), bytes)
      else objects.set(key, bytes)
      return new Response(null, { headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"` } })
    }
    case 'DELETE':
      if (uploadId !== null) parts.delete(uploadId)
      else objects.delete(key)
      return new Response(null, { status: 204 })
    default:
      if (!object) return xml(404, 'NoSuchKey')
      return request.method === 'HEAD'
        ? new Response(null, { headers: { 'content-length': String(object.byteLength) } })
        : new Response(object as Uint8Array<ArrayBuffer>)
  }
}

interface Signature {
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly date: string
  readonly contentHash: string
}

/** What a client signs that knows the secret; or S3's error code. */
function signatureInHeaders({ headers }: Request): Signature | string {
  const [, credential = '', signedHeaders = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.get('authorization') ?? '',
    ) ?? []
  const names = signedHeaders.split(';')
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date']) if (!names.includes(name)) return 'AccessDenied'
  const date = headers.get('x-amz-date') ?? ''
  if (!(Math.abs(Date.now() - instantOf(date)) < MAX_SKEW_MS)) return 'RequestTimeTooSkewed'
  return { credential, signedHeaders, signature, date, contentHash: headers.get('x-amz-content-sha256') ?? '' }
}

/** The signature of an address that another made, until it ends; or S3's error code. */
function signatureInAddress({ url }: Request, now: Date): Signature | string {
  const { searchParams } = new URL(url)
  const parameter = (name: string) => searchParams.get(`X-Amz-${name}`) ?? ''
  const date = parameter('Date')
  const startedMs = instantOf(date)
  if (parameter('Algorithm') !== 'AWS4-HMAC-SHA256' || !(now.getTime() >= startedMs - MAX_SKEW_MS))
    return 'AuthorizationQueryParametersError'
  if (!(now.getTime() <= startedMs + Number(parameter('Expires')) * 1000)) return 'AccessDenied'
  const signedHeaders = parameter('SignedHeaders')
  if (!signedHeaders.split(';').includes('host')) return 'AccessDenied'
  return {
    credential: parameter('Credential'),
    signedHeaders,
    signature: parameter('Signature'),
    date,
    contentHash: 'UNSIGNED-PAYLOAD',
  }
}

const instantOf = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** S3's error code for a request whose signature does not hold; undefined if it does. */
function signatureProblem(
  request: Request,
  { credential, signedHeaders, signature, date, contentHash }: Signature,
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
): string | undefined {
  const [id, day = '', region = '', service = '', end = ''] = credential.split('/')
  if (id !== accessKeyId) return 'InvalidAccessKeyId'
  if (!date.startsWith(day)) return 'RequestTimeTooSkewed'
  if (region !== REGION || service !== 's3' || end !== 'aws4_request') return 'AuthorizationHeaderMalformed'
  const url = new URL(request.url)
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&')
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encodeStrictly(decodeURIComponent(part)))
      .join('/'),
    query,
    ...signedHeaders.split(';').map((name) => `${name}:${(request.headers.get(name) ?? '').trim()}`),
    '',
    signedHeaders,
    contentHash,
  ].join('\n')
  const scope = [day, region, service, end].join('/')
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, service, end].reduce<Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  )
  return createHmac('sha256', key).update(text).digest('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

/** RFC 3986, as S3 wants it. */
const encodeStrictly = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
