// Opens a file of people as a stream of lines, whatever its form.
import { readCsv } from './csv.ts'
import { readJsonLines } from './json-lines.ts'
import { MAX_LINE, type Table, TableFault } from './lines.ts'

/** Opens a file of either form. Throws a {@link TableFault}, also while lines are read. */
export async function openTable(bytes: AsyncIterable<Uint8Array>): Promise<Table> {
  const text = decoded(bytes)[Symbol.asyncIterator]()
  let head = ''
  // The first line decides about the form, and has the names of the columns.
  for (let next = await text.next(); !next.done; next = await text.next()) {
    head += next.value
    if (hasLine(head) || head.length > MAX_LINE) break
  }
  const first = head.trimStart()
  if (first === '') throw new TableFault(1, 'is empty')
  if (head.split('\n', 1)[0]?.includes('\0'))
    throw new TableFault(1, 'is no text, or it is UTF-16: save it as CSV in UTF-8')
  if (first.startsWith('[')) throw new TableFault(1, 'is a list of JSON: write one object in each line')
  const all = (async function* () {
    yield head
    for (let next = await text.next(); !next.done; next = await text.next()) yield next.value
  })()
  return first.startsWith('{')
    ? readJsonLines(all)
    : await readCsv(all, { head: first.split(/\r\n|\r|\n/, 1)[0] ?? '' })
}

/** Whether the text has a whole line with something in it. A pattern would go through a long line once for each of its characters. */
const hasLine = (text: string) => text.includes('\n', text.length - text.trimStart().length)

/** The text of UTF-8, without its mark at the beginning. A byte that is not UTF-8 becomes U+FFFD, so that its line can be named. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let isFirst = true
  for await (const chunk of bytes) {
    if (
      isFirst &&
      chunk.length >= 2 &&
      ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff))
    )
      throw new TableFault(1, 'is UTF-16: save it as CSV in UTF-8')
    isFirst &&= chunk.length === 0
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}
