// A file that is sent to the browser as it is made.

/**
 * Sends each part once the client has read the one before. An error in the first part is thrown, because the status can still
 * be set then.
 */
export async function downloadJson(
  parts: AsyncGenerator<string, void, undefined>,
  { name }: { name: string },
): Promise<Response> {
  const encoder = new TextEncoder()
  const first = await parts.next()
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(first.value ?? '')),
    pull: async (controller) => {
      const { value, done } = await parts.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await parts.return()),
  })
  return new Response(stream, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
  })
}

/** Sends a file that is stored, while it is read. */
export const downloadFile = (
  content: ReadableStream<Uint8Array>,
  { name, type }: { name: string; type: string },
): Response =>
  new Response(content, { headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` } })
