// Preloaded into a server, this removes the guard: no key check, no rate limits, no headers of either. Routing, query parsing
// and responses stay.
import { plugin } from 'bun'

/** The replaced exports by file. Other exports stay. */
const REPLACED: Record<string, string> = {
  'auth/caller.ts': `export const identityOf = () => ({ identify: () => undefined })`,
  'rate-limit/request-limits.ts': `
    const limits = { admit() {}, admitAddress() {}, rejectKeyGuessing() {}, observe() {}, flush: async () => {} }
    export const requestLimitsOf = () => limits`,
  'http/cors.ts': `
    export const allowedOrigin = () => undefined
    export const setCorsHeaders = () => undefined`,
  'http/headers.ts': `export const headerCompleter = () => () => undefined`,
}

plugin({
  name: 'without-guard',
  setup(build) {
    // The query makes the original a different module, which this plugin does not replace.
    build.onLoad(
      { filter: /\/src\/(auth\/caller|rate-limit\/request-limits|http\/(cors|headers))\.ts$/ },
      ({ path }) => ({
        contents: `export * from '${path}?original'\n${REPLACED[path.split('/').slice(-2).join('/')] ?? ''}`,
        loader: 'ts',
      }),
    )
  },
})
