// A question that a request for a quote is asked, in short.
import { type Static, Type } from '@sinclair/typebox'

import type { Question } from '../../features/catalog/services/schemas.ts'

export const BriefQuestion = Type.Object({ question: Type.String(), choices: Type.Optional(Type.Array(Type.String())) })

export const briefQuestion = ({ question, choices }: Question): Static<typeof BriefQuestion> => ({
  question,
  ...(choices.length > 0 && { choices: [...choices] }),
})
