// Checks that two servers return the same responses, before they are compared.
import type { LoadRequest } from './http-load.ts'
import type { TestedServer } from './servers.ts'

/** Throws when the responses to a request differ in the part that `view` selects. */
export async function expectSameResponses(
  one: TestedServer,
  other: TestedServer,
  requests: readonly LoadRequest[],
  view: (body: unknown) => unknown,
): Promise<void> {
  for (const { path, headers = {} } of requests) {
    const [ours, theirs] = await Promise.all(
      [one, other].map(async ({ url }) => {
        const response = await fetch(url + path, { headers })
        if (!response.ok) throw new Error(`${path}: ${response.status}: ${await response.text()}`)
        // Links contain the server's own address.
        const text = (await response.text()).replaceAll(url, 'http://server')
        return JSON.stringify(view(JSON.parse(text)))
      }),
    )
    if (ours !== theirs) throw new Error(`${path} has different responses:\n${ours}\n${theirs}`)
  }
}
