// Responses whose body is JSON text already, or becomes it here.

interface Init {
  status?: number
  headers?: Record<string, string>
}

/** JSON that the database made, passed through. */
export const jsonText = (text: string, init: Init = {}): Response =>
  new Response(text, { ...init, headers: { 'content-type': 'application/json', ...init.headers } })

/** A value as JSON. */
export const json = (value: unknown, init: Init = {}): Response => jsonText(JSON.stringify(value), init)

/** Personal data: no cache may keep it. */
export const PRIVATE = { 'cache-control': 'no-store' }
