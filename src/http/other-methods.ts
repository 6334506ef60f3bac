// The plugin for methods that a path has no route for: OPTIONS is a CORS preflight, the rest is 405 instead of 404.
import { Elysia } from 'elysia'

import { probe } from '../auth/access.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { requestLimitsOf } from '../rate-limit/request-limits.ts'
import { preflight } from './cors.ts'
import { guard } from './guard.ts'

/** Adds a route for the other methods of every path among `routes`. Preflights are not rate limited. */
export function otherMethods(deps: Deps, routes: readonly { method: string; path: string }[]) {
  const plugin = new Elysia({ name: 'other-methods' }).use(guard(deps))
  for (const [path, group] of Map.groupBy(routes, ({ path }) => path)) {
    // A path of parameters only matches what has no route: it does not exist for other methods.
    if (/^(\/:\w+)+$/.test(path)) continue
    const allow = group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    plugin.all(
      path,
      async function refuseMethod({ request }) {
        if (request.method === 'OPTIONS') return preflight(allow)
        await requestLimitsOf(deps).admitAddress(request)
        throw new AppError('method_not_allowed', `This path takes ${allow.join(', ')}.`, { allow })
      },
      { access: probe, detail: { hide: true } },
    )
  }
  return plugin
}
