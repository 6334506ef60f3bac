// Mutants of statements in files and of their types.
import type { Mutant } from './mutant.ts'

const RUNTIME = 'src/platform/postgres/statements.ts'
const COMPOSED = 'src/platform/postgres/composed.ts'
const TYPES = 'test/statement-types.ts'
const killedBy = 'test/statement-types.test.ts'

export const STATEMENTS: readonly Mutant[] = [
  {
    guarantee: 'A statement that is put together reads the columns that it declares, or fails the test.',
    file: COMPOSED,
    from: 'if (read && read.toSorted()',
    to: 'if (!read && [].toSorted()',
    killedBy,
  },
  {
    guarantee: 'A value that such a statement does not declare fails the test that reads it.',
    file: COMPOSED,
    from: 'if (!columns[column](row[column]))',
    to: 'if (columns[column] === undefined)',
    killedBy,
  },
  {
    guarantee: 'A null that a statement does not declare fails the test that reads it.',
    file: RUNTIME,
    from: 'if (value === null && !nullable.includes(column))',
    to: 'if (value === undefined && !nullable.includes(column))',
    killedBy,
  },
  {
    guarantee: 'A text that a statement does not declare fails the test that reads it.',
    file: RUNTIME,
    from: 'if (value !== null && !allowed.includes(value as string))',
    to: 'if (value === null && !allowed.includes(value as string))',
    killedBy,
  },
  {
    guarantee: 'The type of a column is the one that the database describes.',
    file: TYPES,
    from: "  23: 'number',",
    to: "  23: 'string',",
    killedBy,
  },
  {
    guarantee: 'A column that may be null has null in its type.',
    file: TYPES,
    from: "type: isNotNull || base === 'void' ? base :",
    to: "type: isNotNull || base !== 'void' ? base :",
    killedBy,
  },
  {
    guarantee: 'A header that names no column of its statement is refused.',
    file: TYPES,
    from: 'if (unknown.length > 0) throw',
    to: 'if (unknown.length > 1) throw',
    killedBy,
  },
]
