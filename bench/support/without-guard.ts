// Preloaded into a server, this removes the guard: no key check, no rate limits, no headers of either. Routing, query parsing
// and responses stay.
import { join } from 'node:path'

import { plugin } from 'bun'

const STAND_INS = join(import.meta.dir, 'no-guard.ts')
/** The replaced exports by file. Other exports stay. */
const REPLACED: Record<string, string> = {
  'auth/caller.ts': 'identityOf',
  'rate-limit/request-limits.ts': 'requestLimitsOf',
  'http/cors.ts': 'allowedOrigin, setCorsHeaders',
  'http/headers.ts': 'headerCompleter',
}

plugin({
  name: 'without-guard',
  setup(build) {
    // The query makes the original a different module, which this plugin does not replace.
    build.onLoad(
      { filter: /\/src\/(auth\/caller|rate-limit\/request-limits|http\/(cors|headers))\.ts$/ },
      ({ path }) => ({
        contents: `export * from '${path}?original'\nexport { ${REPLACED[path.split('/').slice(-2).join('/')] ?? ''} } from '${STAND_INS}'`,
        loader: 'ts',
      }),
    )
  },
})
