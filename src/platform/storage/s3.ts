// Keeps files in a bucket of a service that speaks S3, by Bun's own client.
import { AwsV4Signer } from 'aws4fetch'
import { S3Client } from 'bun'

import { withDeadline } from '../clock/deadlines.ts'
import { StoreUnavailable, errorCode } from '../store-error.ts'
import { type SignedUpload, type Storage, asStorage, checkKey } from './storage.ts'

export interface S3Config {
  readonly bucket: string
  /** Of another service than AWS. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/**
 * A smaller object is one PUT. A larger one is sent in parts of this size, of which no more are in memory: the service shows it
 * when it is complete. Parts of a process that died stay invisible until the bucket's lifecycle rule removes them.
 */
const PART_BYTES = 5 * 1024 * 1024
/** For one call without a client who sends the content meanwhile. */
const CALL_LIMIT_MS = 30_000
/** For the largest file of the slowest client. */
const STREAM_LIMIT_MS = 15 * 60_000

export function openS3(config: S3Config): Storage {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = config
  const client = new S3Client({
    bucket,
    accessKeyId,
    secretAccessKey,
    region,
    partSize: PART_BYTES,
    queueSize: 1,
    retry: 2,
    ...(endpoint ? { endpoint } : {}),
  })
  const place = endpoint ? `${new URL(endpoint).host}/${bucket}` : bucket
  const guarded = <T>(work: () => Promise<T>, limitMs = CALL_LIMIT_MS): Promise<T> =>
    asStorage(() => withDeadline(work(), limitMs, () => new StoreUnavailable('files')))
  const fileOf = (key: string) => {
    checkKey(key)
    return client.file(key)
  }
  return {
    place,
    put: async (key, content) => {
      const file = fileOf(key)
      if (content instanceof Uint8Array) {
        await guarded(() => file.write(content))
        return
      }
      await guarded(() => file.write(new Response(streamOf(content))), STREAM_LIMIT_MS)
    },
    get: (key) =>
      guarded(async () => {
        const file = fileOf(key)
        try {
          const { size } = await file.stat()
          return { bytes: size, stream: () => file.stream() }
        } catch (error) {
          if (isMissing(error)) return undefined
          throw error
        }
      }),
    delete: (key) =>
      guarded(async () => {
        try {
          await fileOf(key).delete()
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }),
    signUpload: (key, upload) => signUpload(config, key, upload),
    sweep: () => Promise.resolve(),
  }
}

/** Bun's client signs neither the length nor the type of what is sent to the address. */
async function signUpload(config: S3Config, key: string, { bytes, type, at, seconds }: SignedUpload): Promise<string> {
  checkKey(key)
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = config
  const service = endpoint?.replace(/\/$/, '') ?? `https://s3.${region}.amazonaws.com`
  const { url } = await new AwsV4Signer({
    method: 'PUT',
    url: `${service}/${bucket}/${key}?X-Amz-Expires=${seconds}`,
    headers: { 'content-length': String(bytes), 'content-type': type },
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region,
    datetime: at.toISOString().replace(/[:-]|\.\d{3}/g, ''),
    signQuery: true,
    allHeaders: true,
  }).sign()
  return url.href
}

const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(errorCode(error) ?? '')

const streamOf = (content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const chunks = content[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const next = await chunks.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: async () => void (await chunks.return?.()),
  })
}
