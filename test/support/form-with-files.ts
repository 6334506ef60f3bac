// Forms with files, as browsers without scripts send them.
import { requestContextOf } from '../../src/auth/request-context.ts'
import { CSRF_FIELD } from '../../src/http/form.ts'
import type { TestApp } from './app.ts'
import type { Visitor } from './visitor.ts'

/** A field, or the content of a file; an empty one when no file was chosen. */
export type Part = [name: string, value: string | Uint8Array, fileName?: string]

export interface Sending {
  path: string
  /** An empty one in forms for everyone. */
  csrf?: string
  /** Of the sender's network. */
  address?: string
  headers?: Record<string, string>
  /** Bytes that are missing at the end. */
  cut?: number
}

export const sendFormWithFiles = async (
  app: TestApp,
  visitor: Visitor,
  parts: readonly Part[],
  { path, csrf, address, headers = {}, cut = 0 }: Sending,
) => {
  const form = new FormData()
  form.append(CSRF_FIELD, csrf ?? (await visitor.csrfToken()))
  for (const [name, value, fileName = 'photo.jpg'] of parts)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)]), value.length === 0 ? '' : fileName)
  const request = new Request(app.deps.config.baseUrl + path, { method: 'POST', body: form })
  const type = request.headers.get('content-type') ?? ''
  const body = new Uint8Array(await request.arrayBuffer())
  const sent = new Request(request.url, {
    method: 'POST',
    body: body.subarray(0, body.length - cut),
    headers: {
      'content-type': type,
      'content-length': String(body.length - cut),
      'sec-fetch-site': 'same-origin',
      cookie: Array.from(visitor.cookies, ([name, value]) => `${name}=${value}`).join('; '),
      ...headers,
    },
  })
  if (address !== undefined) requestContextOf(sent).peer = () => address
  const response = await app.app.handle(sent)
  return { status: response.status, text: await response.text(), location: response.headers.get('location') ?? '' }
}
