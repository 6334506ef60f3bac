// Preloaded into a server, this takes the gate out: no key is looked at, nothing is counted, no header of it is set.
// What remains is what any server does: find the route, read the query, answer.
import { plugin } from 'bun'

/** What each file exports instead; the rest of it stays. */
const INSTEAD: Record<string, string> = {
  'identity.ts': `export const identityOf = () => ({ identify: () => undefined })`,
  'limits.ts': `
    const limits = { admit() {}, admitAddress() {}, rejectKeyGuessing() {}, observe() {} }
    export const requestLimitsOf = () => limits`,
  'cors.ts': `
    export const allowedOrigin = () => undefined
    export const corsHeaders = () => []`,
  'headers.ts': `
    export const safeHeaders = () => []
    export const setSafeHeaders = () => undefined`,
}

plugin({
  name: 'without-gate',
  setup(build) {
    // The query makes the original another module, which this does not replace.
    build.onLoad({ filter: /\/src\/http\/(identity|limits|cors|headers)\.ts$/ }, ({ path }) => ({
      contents: `export * from '${path}?original'\n${INSTEAD[path.split('/').at(-1) ?? '']}`,
      loader: 'ts',
    }))
  },
})
