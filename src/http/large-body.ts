// Sends large bodies as cheaply as small ones.
import type { RequestContext } from '../auth/request-context.ts'

/** Bun's buffer for a response is 16 KiB, headers included. */
const LARGE_BYTES = 15_000

/**
 * Bun 1.4.4 sends headers and body in one write only if the handler has not awaited anything or the response fits the buffer.
 * A larger one after an await takes some 27 writes: 100 µs of CPU for 20 KB instead of 12. A direct stream with a buffer for
 * the whole body is one write again, with a Content-Length; a smaller buffer would make it chunked.
 */
export const bodyOf = (
  content: Content,
  { hasWaited, isHead }: Pick<RequestContext, 'hasWaited' | 'isHead'>,
): Content | ReadableStream =>
  hasWaited && !isHead && content.length >= LARGE_BYTES
    ? new ReadableStream(directSource(content), { highWaterMark: Buffer.byteLength(content) + 1 })
    : content

type Content = Uint8Array<ArrayBuffer> | string

/** `type: 'direct'` is Bun's: writes go to the socket without a queue. */
function directSource(content: Content): Bun.DirectUnderlyingSource<Uint8Array | string> {
  return {
    type: 'direct',
    pull: (controller) => {
      void controller.write(content)
      void controller.end()
    },
  }
}
