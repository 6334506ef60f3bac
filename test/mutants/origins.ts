// Mutants of the origins of widgets and forms.
import type { Mutant } from './mutant.ts'

export const ORIGINS: readonly Mutant[] = [
  {
    guarantee: 'A widget key works from its own origin, not from one that starts with it.',
    file: 'src/http/cors.ts',
    from: 'if (origin === caller.origin) return',
    to: 'if (origin?.startsWith(caller.origin)) return',
    killedBy: 'test/http/origins.test.ts',
  },
  {
    guarantee: 'A widget key works from no page without an origin.',
    file: 'src/http/cors.ts',
    from: 'if (origin === caller.origin) return',
    to: 'if (origin === null || origin === caller.origin) return',
    killedBy: 'test/http/origins.test.ts',
  },
  {
    guarantee: 'A key of a server is refused from pages of other origins.',
    file: 'src/http/cors.ts',
    from: 'if (origin === null || origin === ownOrigin)',
    to: 'if (origin === null || origin.endsWith(new URL(ownOrigin).host))',
    killedBy: 'test/http/origins.test.ts',
  },
  {
    guarantee: 'A response to a widget key names that key’s origin only.',
    file: 'src/http/cors.ts',
    from: 'return caller.origin\n',
    to: "return '*'\n",
    killedBy: 'test/http/origins.test.ts',
  },
  {
    guarantee: 'A widget key is made for one whole origin without a path.',
    file: 'src/auth/keys/verbs/keys.ts',
    from: "url.origin !== text.replace(/\\/$/, '').toLowerCase()",
    to: '!text.toLowerCase().startsWith(url.origin)',
    killedBy: 'test/http/origins.test.ts',
  },
  {
    guarantee: 'A form counts as our own only with exactly our origin or host.',
    file: 'src/http/form.ts',
    from: 'const isOwnOrigin = hostOf(origin) === hostOf(ownOrigin)',
    to: "const isOwnOrigin = hostOf(origin)?.startsWith(hostOf(ownOrigin) ?? '')",
    killedBy: 'test/http/origins.test.ts',
  },
  {
    guarantee: 'A form from another site of the same domain is refused.',
    file: 'src/http/form.ts',
    from: ": site !== 'same-origin'",
    to: ": site === 'cross-site'",
    killedBy: 'test/web/foreign-forms.test.ts',
  },
  {
    guarantee: 'A form without Sec-Fetch-Site is judged by its Origin.',
    file: 'src/http/form.ts',
    from: 'site === null ? origin !== null && !isOwnOrigin',
    to: 'site === null ? false',
    killedBy: 'test/web/foreign-forms.test.ts',
  },
  {
    guarantee: 'Every page refuses forms of other sites, also without a session.',
    file: 'src/http/guard.ts',
    from: 'if (access.page && METHODS_WITH_BODY',
    to: 'if (access.page && access.session && METHODS_WITH_BODY',
    killedBy: 'test/web/foreign-forms.test.ts',
  },
  {
    guarantee: 'No page takes a base address from its content.',
    file: 'src/http/headers.ts',
    from: "    'base-uri': \"'none'\",\n",
    to: '',
    killedBy: 'test/http/headers.test.ts',
  },
  {
    guarantee: 'A page without forms sends none.',
    file: 'src/http/headers.ts',
    from: "    'form-action': \"'none'\",\n",
    to: '',
    killedBy: 'test/http/headers.test.ts',
  },
  {
    guarantee: 'Only the search may ask a browser for its location.',
    file: 'src/http/headers.ts',
    from: "usesLocation ? 'self' : ''",
    to: "usesLocation ? 'self' : 'self'",
    killedBy: 'test/http/headers.test.ts',
  },
]
