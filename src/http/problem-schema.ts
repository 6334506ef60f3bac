// The schema of problem documents.
import { Type } from '@sinclair/typebox'

import { ERRORS } from '../errors/app-error.ts'
import { Integer } from '../platform/schema/numbers.ts'
import { Nullable, Uri } from '../platform/schema/types.ts'

/** RFC 9457. Further members depend on the code: `nextAvailable` with a taken slot, `requiredScopes` with a missing one. */
export const Problem = Type.Object(
  {
    type: Uri({ description: 'A page that explains this error' }),
    title: Type.String(),
    status: Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'For people: what is wrong and what to do' }),
    code: Type.Union(
      Object.keys(ERRORS).map((code) => Type.Literal(code)),
      { description: 'For programs: stable, never changes its meaning' },
    ),
    requestId: Nullable(Type.String(), { description: 'Name it when you ask for help' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: 'With `validation_failed`: what is wrong with which field',
      }),
    ),
  },
  { $id: 'Problem', additionalProperties: true, description: 'An error, as in RFC 9457' },
)
