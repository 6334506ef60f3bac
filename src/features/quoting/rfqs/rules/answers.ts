// Answers to the questions of a service: which question each belongs to, and what may be wrong with it.
import type { Question } from '../../../catalog/services/schemas.ts'
import type { Answer } from '../schemas.ts'

interface AnswerFault {
  /** Its place in the list, and the member that is wrong. */
  readonly path: string
  readonly message: string
}

interface ReadAnswers {
  /** In the order of the questions, each with its question as it is asked now. */
  readonly answers: Answer[]
  readonly faults: AnswerFault[]
}

const keyOf = (text: string) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** Capitals and white space say nothing; an empty answer is none. A choice is one of those given. */
export function answersTo(questions: readonly Question[], given: readonly Answer[]): ReadAnswers {
  const read = new Map<Question, string>()
  const faults: AnswerFault[] = []
  for (const [at, { question: asked, answer }] of given.entries()) {
    if (answer.trim() === '') continue
    const question = questions.find((it) => keyOf(it.question) === keyOf(asked))
    const choice = question?.choices.find((it) => keyOf(it) === keyOf(answer))
    if (!question) faults.push({ path: `${at}.question`, message: unknownText(questions) })
    else if (read.has(question)) faults.push({ path: `${at}.question`, message: 'is answered twice' })
    else if (question.choices.length > 0 && choice === undefined)
      faults.push({ path: `${at}.answer`, message: `must be one of: ${question.choices.join(', ')}` })
    else read.set(question, choice ?? answer.trim())
  }
  const answers = questions.flatMap((it) => {
    const answer = read.get(it)
    return answer === undefined ? [] : [{ question: it.question, answer }]
  })
  return { answers, faults }
}

const unknownText = (questions: readonly Question[]): string =>
  questions.length === 0
    ? 'is not asked: without a service that has questions, leave out the answers'
    : `must be one of: ${questions.map(({ question }) => question).join(' ')}`

/** The questions without an answer, those first on which the form insists. */
export const openQuestions = (questions: readonly Question[], answers: readonly Answer[]): string[] =>
  questions
    .filter(({ question }) => !answers.some((it) => it.question === question))
    .toSorted((one, other) => Number(other.required) - Number(one.required))
    .map(({ question }) => question)
