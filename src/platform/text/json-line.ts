// Where a text stops being JSON (RFC 8259): the parser of Bun names no line.

const TOKEN =
  /[\s]*(?:([{}[\],:])|("(?:[^"\\]|\\(?:["\\/]|[bfn]|[rt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)))/y

/** What may follow the tokens so far. */
type Expected = 'value' | 'value or ]' | 'key or }' | 'key' | ':' | ', or end' | 'nothing'

/** The line of the first token that is not allowed, from 1; undefined for a text that is JSON. */
export function lineOfJsonFault(text: string): number | undefined {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  while (at < text.length && text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at
    const [whole, mark, scalar] = TOKEN.exec(text) ?? []
    const next: Expected | undefined =
      whole === undefined ? undefined : following(expected, open, mark ?? (scalar?.startsWith('"') ? '"' : '0'))
    if (whole === undefined || next === undefined || hasControl(scalar)) return lineAt(text, at)
    expected = next
    at += whole.length
  }
  return expected === 'nothing' ? undefined : text.trimEnd().split('\n').length
}

/** Strings have no control characters, such as the end of a line (RFC 8259 §7). */
const hasControl = (scalar = ''): boolean => Array.from(scalar).some((character) => character < ' ')

/** The line of the first visible character from here on. */
const lineAt = (text: string, at: number): number => {
  const rest = text.slice(at)
  return text.slice(0, at + rest.length - rest.trimStart().length).split('\n').length
}

/** What may follow the token; undefined where it is not allowed. Opens and closes objects and lists. */
function following(expected: Expected, open: string[], token: string): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : ', or end')
  const isValueDue = expected === 'value' || expected === 'value or ]'
  if (isValueDue && (token === '{' || token === '[')) {
    open.push(token)
    return token === '{' ? 'key or }' : 'value or ]'
  }
  if (isValueDue && (token === '"' || token === '0')) return afterValue()
  if ((expected === 'key' || expected === 'key or }') && token === '"') return ':'
  if (expected === ':' && token === ':') return 'value'
  if (expected === ', or end' && token === ',') return open.at(-1) === '{' ? 'key' : 'value'
  const closes = token === '}' ? '{' : token === ']' ? '[' : undefined
  const mayClose = expected === ', or end' || expected === (token === '}' ? 'key or }' : 'value or ]')
  if (closes === undefined || !mayClose || open.pop() !== closes) return undefined
  return afterValue()
}
