// The questions of a service: how operators write them, one per line, and what may be wrong with them.
//   How many square feet? *
//   Is the water running now? | Yes | No
import { plainName } from '../../../../platform/text/plain.ts'
import type { Question } from '../../services/schemas.ts'
import { distinctTexts } from '../../../../platform/text/distinct-texts.ts'

export const MAX_QUESTIONS = 6
export const MAX_QUESTION = 200
export const MAX_CHOICES = 12
export const MAX_CHOICE = 80

/** A question with what may be left out: by default an answer is a text and not required. */
type GivenQuestion = Pick<Question, 'question'> & { [K in 'required' | 'choices']?: Question[K] | undefined }

/** Without white space that says nothing, choices that say the same, and questions without words. */
export const normalQuestions = (given: readonly GivenQuestion[]): Question[] =>
  given
    .map(({ question, required = false, choices = [] }) => ({
      question: squeezed(question),
      required,
      choices: distinctTexts(choices.map(squeezed).filter(Boolean)),
    }))
    .filter(({ question }) => question !== '')

const squeezed = (text: string) => plainName(text).replaceAll(/\s+/g, ' ').trim()

/** The questions of lines: after `|` the answers to choose from; a `*` after the question, or the line, makes an answer required. */
export const questionsOfLines = (lines: string): Question[] =>
  normalQuestions(
    lines.split('\n').map((line) => {
      const parts = line.split('|').map((part) => part.trim())
      const [question = '', ...choices] = parts.map((part) => part.replace(/\*$/, ''))
      return { question, required: parts[0]?.endsWith('*') === true || parts.at(-1)?.endsWith('*') === true, choices }
    }),
  )

/** A question as operators write it. */
export const lineOfQuestion = ({ question, required, choices }: Question): string =>
  [`${question}${required ? ' *' : ''}`, ...choices].join(' | ')

/** What is wrong with the questions of a service; undefined when nothing is. */
export function questionFault(questions: readonly Question[]): string | undefined {
  if (questions.length > MAX_QUESTIONS) return `must be at most ${MAX_QUESTIONS} questions`
  const texts = questions.map(({ question }) => question)
  if (distinctTexts(texts).length < texts.length) return 'must not have a question twice'
  for (const { question, choices } of questions) {
    const named = `“${question.slice(0, 60)}”`
    if (question.length > MAX_QUESTION) return `must have at most ${MAX_QUESTION} characters each, unlike ${named}`
    if ([question, ...choices].some((text) => /\||\*$/.test(text)))
      return `must have no “|” in a question or answer, and no “*” at the end of one, unlike ${named}`
    if (choices.length === 1) return `must give at least two answers to choose from, or none, unlike ${named}`
    if (choices.length > MAX_CHOICES) return `must give at most ${MAX_CHOICES} answers to choose from, unlike ${named}`
    if (choices.some((choice) => choice.length > MAX_CHOICE))
      return `must give answers of at most ${MAX_CHOICE} characters to choose from, unlike ${named}`
  }
  return undefined
}
