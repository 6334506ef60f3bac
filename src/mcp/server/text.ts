// Texts as long as a model should read them.

/** The text, or its beginning with an ellipsis: at most `length` UTF-16 units, never half a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 2)) ? length - 2 : length - 1
  return `${text.slice(0, end).trimEnd()}…`
}
