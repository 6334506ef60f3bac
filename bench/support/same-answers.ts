// A peer that answers something else is no peer: looked at before anything is measured.
import type { LoadRequest } from './http-load.ts'
import type { TestedServer } from './servers.ts'

/** Throws when the two answer any of the requests differently, as far as `view` looks. */
export async function expectSameAnswers(
  one: TestedServer,
  other: TestedServer,
  requests: readonly LoadRequest[],
  view: (body: unknown) => unknown,
): Promise<void> {
  for (const { path, headers = {} } of requests) {
    const [ours, theirs] = await Promise.all(
      [one, other].map(async ({ url }) => {
        const answer = await fetch(url + path, { headers })
        if (!answer.ok) throw new Error(`${path}: ${answer.status}: ${await answer.text()}`)
        // Links hold the server's own address.
        const text = (await answer.text()).replaceAll(url, 'http://server')
        return JSON.stringify(view(JSON.parse(text)))
      }),
    )
    if (ours !== theirs) throw new Error(`${path} is answered differently:\n${ours}\n${theirs}`)
  }
}
