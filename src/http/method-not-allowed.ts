// A path that exists, asked with a method it does not take: 405 with `Allow`, not 404.
import { Elysia } from 'elysia'

import { AppError } from '../errors.ts'

/** For every path among `routes`, an answer to all methods that have no route of their own. */
export function methodNotAllowed(routes: readonly { method: string; path: string }[]) {
  const plugin = new Elysia({ name: 'method-not-allowed' })
  for (const [path, group] of Map.groupBy(routes, ({ path }) => path)) {
    const allow = group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    plugin.all(
      path,
      function refuseMethod() {
        throw new AppError('method_not_allowed', `This path takes ${allow.join(', ')}.`, { allow })
      },
      { parse: 'none', detail: { hide: true } },
    )
  }
  return plugin
}
