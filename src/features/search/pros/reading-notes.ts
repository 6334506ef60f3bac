// What people and models are told about how their words were read.
import type { SearchMeta } from './schemas.ts'

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ')

/** One sentence for each thing that was not simply read: corrected words, unknown words, and other places of the name. */
export function readingNotes({ understood, suggestions }: SearchMeta): string[] {
  const { corrected = [], notUnderstood = [], namesakes = [], place } = understood ?? {}
  const isServiceUnknown = suggestions?.service !== undefined && notUnderstood.length > 0
  return [
    ...(corrected.length > 0
      ? [`${corrected.map(({ typed, read }) => `“${typed}” was read as “${read}”`).join(', ')}.`]
      : []),
    ...(notUnderstood.length > 0
      ? [
          isServiceUnknown
            ? `No service or place is known for: ${quoted(notUnderstood)}.`
            : `Not understood: ${quoted(notUnderstood)}.`,
        ]
      : []),
    ...(place && namesakes.length > 0
      ? [`${place.name} is also in ${namesakes.map(({ state }) => state).join(', ')}: add the state to search there.`]
      : []),
  ]
}
