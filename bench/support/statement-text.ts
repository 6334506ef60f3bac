// The texts of the hot reads, as the server runs them.
import { statementFile } from '../../src/platform/postgres/statement-files.ts'

/** The text of `sql/queries/<name>.sql`. */
export const statementText = (name: string): string => statementFile(name, 'fresh').text
