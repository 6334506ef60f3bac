// A path that exists, asked with a method without a route: browsers' OPTIONS is answered, the rest is 405, not 404.
import { Elysia } from 'elysia'

import { AppError } from '../errors/app-error.ts'
import { preflight } from './cors.ts'

/** For every path among `routes`, an answer to all methods that have no route of their own. */
export function otherMethods(routes: readonly { method: string; path: string }[]) {
  const plugin = new Elysia({ name: 'other-methods' })
  for (const [path, group] of Map.groupBy(routes, ({ path }) => path)) {
    const allow = group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    plugin.all(
      path,
      function answerOtherMethod({ request }) {
        if (request.method === 'OPTIONS') return preflight(allow)
        throw new AppError('method_not_allowed', `This path takes ${allow.join(', ')}.`, { allow })
      },
      { parse: 'none', detail: { hide: true } },
    )
  }
  return plugin
}
