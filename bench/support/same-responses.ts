// Checks whether two servers return the same responses, before they are compared.
import type { LoadRequest } from './http-load.ts'
import type { TestedServer } from './servers.ts'

type View = (body: unknown) => unknown

/** Throws when the responses to a request differ in the part that `view` selects. */
export async function expectSameResponses(
  one: TestedServer,
  other: TestedServer,
  requests: readonly LoadRequest[],
  view: View,
): Promise<void> {
  for (const request of requests) {
    const [ours, theirs] = await readBoth(one, other, request, view)
    if (ours !== theirs) throw new Error(`${request.path} has different responses:\n${ours}\n${theirs}`)
  }
}

/** Counts the requests whose responses are the same in the part that `view` selects. */
export async function countSameResponses(
  one: TestedServer,
  other: TestedServer,
  requests: readonly LoadRequest[],
  view: View,
): Promise<number> {
  let same = 0
  for (const request of requests) {
    const [ours, theirs] = await readBoth(one, other, request, view)
    if (ours === theirs) same++
  }
  return same
}

const readBoth = (one: TestedServer, other: TestedServer, { path, headers = {} }: LoadRequest, view: View) =>
  Promise.all(
    [one, other].map(async ({ url }) => {
      const response = await fetch(url + path, { headers })
      if (!response.ok) throw new Error(`${path}: ${response.status}: ${await response.text()}`)
      // Links contain the server's own address.
      const text = (await response.text()).replaceAll(url, 'http://server')
      return JSON.stringify(view(JSON.parse(text)))
    }),
  )
