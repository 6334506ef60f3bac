// The one form of what operators type about an entry.
import type { ServiceFields } from '../schemas.ts'
import { distinctTexts } from '../../../../platform/text/distinct-texts.ts'
import { normalQuestions } from './questions.ts'
import { unitOf } from './units.ts'

/** Without white space around texts, synonyms that say the same, and empty texts. A price per hour has the unit "hour". */
export function normalFields<Fields extends Partial<ServiceFields>>(fields: Fields): Fields {
  const { name, slug, synonyms, description, unit, priceType, questions } = fields
  const textOrNull = (text: string | null) => (text === null || text.trim() === '' ? null : text.trim())
  return {
    ...fields,
    ...(name !== undefined && { name: name.trim() }),
    ...(slug !== undefined && { slug: slug.trim() }),
    ...(synonyms && { synonyms: distinctTexts(synonyms.map((one) => one.trim()).filter((one) => one !== '')) }),
    ...(description !== undefined && { description: textOrNull(description) }),
    ...(questions && { questions: normalQuestions(questions) }),
    ...(unit !== undefined && { unit: textOrNull(unit) ?? unitOf(priceType) }),
  }
}
