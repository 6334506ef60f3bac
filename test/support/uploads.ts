// Uploads in tests, as clients make them.
import type { TestApp } from './app.ts'
import type { File } from '../../src/features/files/files/schemas.ts'
import { closeDecoder, decodeNextFile } from '../../src/features/files/files/verbs/decode.ts'
import { ctxOf } from '../../src/ctx.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { pixels } from './hostile-files.ts'

export interface Sent {
  key: string
  purpose?: string
  bytes?: Uint8Array
  headers?: Record<string, string>
}

let count = 0
/** A small picture, another one each time. */
export const somePicture = async (): Promise<Buffer> =>
  await pixels(64, 40 + (count++ % 200))
    .jpeg()
    .toBuffer()

export function formOf({ purpose, bytes = new Uint8Array() }: Omit<Sent, 'key'>): FormData {
  const form = new FormData()
  if (purpose !== undefined) form.append('purpose', purpose)
  // What a sender says of the file is not believed.
  form.append('file', new Blob([bytes], { type: 'text/html' }), '../../evil.html')
  return form
}

/** Sends a picture, or the given bytes. */
export async function upload(
  app: TestApp,
  { key, purpose = 'pro_gallery', bytes, headers = {} }: Sent,
): Promise<Response> {
  const body = formOf({ purpose, bytes: bytes ?? (await somePicture()) })
  return await app.send('/api/v1/files', { method: 'POST', key, body, headers })
}

/** Uploads and expects 202. */
export async function uploaded(app: TestApp, sent: Sent): Promise<File> {
  const answer = await upload(app, sent)
  if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as File
}

/** Decodes all that is due, in this process. */
export async function decodeAll(app: TestApp): Promise<string[]> {
  const outcomes: string[] = []
  for (let outcome = await decodeNextFile(ctxOf(app.deps)); outcome; outcome = await decodeNextFile(ctxOf(app.deps)))
    outcomes.push(outcome)
  closeDecoder(ctxOf(app.deps))
  return outcomes
}

/** Uploads, decodes and reads the file again. */
export async function ready(app: TestApp, sent: Sent): Promise<File> {
  const { id } = await uploaded(app, sent)
  await decodeAll(app)
  return (await (await app.send(`/api/v1/files/${id}`, { key: sent.key })).json()) as File
}

/** Decodes what arrives until the work is done, as a worker does. */
export async function whileDecoding<T>(app: TestApp, work: Promise<T>): Promise<T> {
  let isDone = false
  const result = work.finally(() => (isDone = true))
  const decoded = waitUntil(async () => {
    await decodeAll(app)
    return isDone
  }, 60_000)
  const [value] = await Promise.all([result, decoded])
  return value
}
