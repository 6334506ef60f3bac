// Mutants of apps that people connect.
import type { Mutant } from './mutant.ts'

export const OAUTH: readonly Mutant[] = [
  {
    guarantee: 'An access token is refused by every resource but its own.',
    file: 'src/http/permissions.ts',
    from: 'if (!caller?.audience || caller.audience === resourceOfRoute(route)) return',
    to: 'return',
    killedBy: 'test/auth/oauth-attacks.test.ts',
    tests: 'is refused by every resource',
  },
  {
    guarantee: 'A code is of no use without its verifier.',
    file: 'src/auth/oauth/verbs/tokens.ts',
    from: "if (!isVerifier(form.get('code_verifier') ?? '', request.codeChallenge))",
    to: "if (form.has('code_verifier') && !isVerifier(form.get('code_verifier') ?? '', request.codeChallenge))",
    killedBy: 'test/auth/oauth-attacks.test.ts',
    tests: 'of no use without its verifier',
  },
  {
    guarantee: 'The second use of a code ends the tokens of the first.',
    file: 'src/auth/oauth/verbs/tokens.ts',
    from: "      await endStolen(deps, tx, request.keyId, 'a code was used twice')\n",
    to: '',
    killedBy: 'test/auth/oauth-attacks.test.ts',
    tests: 'works once: a second use',
  },
  {
    guarantee: 'The second use of a refresh token ends the grant.',
    file: 'src/auth/oauth/verbs/tokens.ts',
    from: "      await endStolen(deps, tx, found.keyId, 'a refresh token was used twice')\n",
    to: '',
    killedBy: 'test/auth/oauth-attacks.test.ts',
    tests: 'its reuse ends all tokens',
  },
  {
    guarantee: 'A registered path on a port of the own device does not match another path.',
    file: 'src/auth/oauth/redirect-uris.ts',
    from: "(_, host: string, _port, rest = '') => host + rest",
    to: '(_, host: string) => host',
    killedBy: 'test/auth/oauth-attacks.test.ts',
    tests: 'for an address that the app has not registered',
  },
  {
    guarantee: 'A metadata document is for its own URL.',
    file: 'src/auth/oauth/verbs/metadata-documents.ts',
    from: '?.client_id !== id)',
    to: '?.client_id === undefined)',
    killedBy: 'test/auth/oauth-documents.test.ts',
    tests: 'for another id',
  },
  {
    guarantee: 'A grant ends with the address that its customer proved.',
    file: 'src/auth/oauth/verbs/access-tokens.ts',
    from: 'if (!found || hasOtherAddress(deps, found))',
    to: 'if (!found)',
    killedBy: 'test/auth/oauth.test.ts',
    tests: 'lose their access with the person',
  },
]
