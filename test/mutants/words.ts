// Mutants of how people's words are understood.
import type { Mutant } from './mutant.ts'

const UNDERSTANDING = 'test/features/catalog/services/understanding.test.ts'
const TOLD = 'test/features/catalog/services/told.test.ts'

export const WORDS: readonly Mutant[] = [
  {
    guarantee: 'A misspelled service is not a town.',
    file: 'src/features/catalog/services/verbs/place-mentions.ts',
    from: 'if (isVocabulary || (isTypo && population < LARGE)) return undefined',
    to: '',
    killedBy: UNDERSTANDING,
  },
  {
    guarantee: 'A word with two exchanged letters is corrected.',
    file: 'src/features/catalog/services/verbs/spelling.ts',
    from: 'if (importance !== undefined) add(exchanged, importance, 1)',
    to: '',
    killedBy: UNDERSTANDING,
  },
  {
    guarantee: 'Another trade is not taken for a service of the catalog.',
    file: 'src/features/catalog/services/verbs/service-names.ts',
    from: 'const ELSEWHERE_BOOST = 1.4',
    to: 'const ELSEWHERE_BOOST = 0.1',
    killedBy: TOLD,
  },
  {
    guarantee: 'A city in another state than its own is unknown.',
    file: 'src/features/catalog/services/verbs/place-mentions.ts',
    from: "if (places.state(words.slice(to, to + 1)) && !services.knows(words[to] ?? '')) return undefined",
    to: '',
    killedBy: TOLD,
  },
  {
    guarantee: 'What was not understood is told.',
    file: 'src/features/catalog/services/verbs/service-names.ts',
    from: 'notUnderstood: offering || unknown.length === 0 ? unknown : [subjectOf(tokens)],',
    to: 'notUnderstood: [],',
    killedBy: TOLD,
  },
  {
    guarantee: 'A tool does not report a service that was not understood as one without pros.',
    file: 'src/mcp/customer/search-pros.ts',
    from: 'if (suggestions) {',
    to: 'if (suggestions?.place) {',
    killedBy: TOLD,
  },
  {
    guarantee: 'A list of services does not report one that was not understood as one without pros.',
    file: 'src/mcp/customer/list-services.ts',
    from: 'isUnderstood: categories.length > 0',
    to: 'isUnderstood: true',
    killedBy: TOLD,
  },
  {
    guarantee: 'Other places of the same name are told.',
    file: 'src/features/catalog/services/verbs/place-names.ts',
    from: 'const COMPARABLE = 0.1',
    to: 'const COMPARABLE = 2',
    killedBy: TOLD,
  },
  {
    guarantee: 'A row of search_words replaces the built-in phrase.',
    file: 'src/features/catalog/services/verbs/vocabulary.ts',
    from: '.filter(({ key }) => !replaced.has(key))',
    to: '',
    killedBy: TOLD,
  },
  {
    guarantee: 'A word that is added takes effect without a restart.',
    file: 'sql/functions/wake_ups.sql',
    from: 'create or replace trigger search_words_changed after insert or update or delete or truncate on search_words',
    to: 'create or replace trigger search_words_changed after truncate on search_words',
    killedBy: TOLD,
  },
]
