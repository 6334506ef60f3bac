// What the program of an isolated process does: it answers one request after another. It opens nothing else.

export type Reply<Result> = { kind: 'ready' } | { kind: 'done'; result: Result }

const send = (reply: Reply<unknown>) => process.send?.(reply)

/** Answers each request of the process that started this one with what `handle` returns. A process that throws is `crashed`. */
export function serveRequests(handle: (request: never) => unknown): void {
  const answer = async (request: unknown) => send({ kind: 'done', result: await handle(request as never) })
  process.on('message', (request: unknown) => void answer(request))
  send({ kind: 'ready' })
}
