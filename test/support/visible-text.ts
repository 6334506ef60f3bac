// HTML messages as people read them.

/** The text of an HTML message as a person reads it. */
export function visibleText(page: string): string {
  let text = ''
  let hidden = 0
  const rewriter = new HTMLRewriter()
    .on('style, title, [style*="display:none"]', {
      element(element) {
        hidden++
        element.onEndTag(() => void hidden--)
      },
    })
    .on('br, p, td, tr, h1', {
      element(element) {
        text += ' '
        if (element.tagName !== 'br') element.onEndTag(() => void (text += ' '))
      },
    })
    .onDocument({ text: (chunk) => void (text += hidden > 0 ? '' : chunk.text) })
  rewriter.transform(page)
  return decoded(text).replace(/\s+/g, ' ')
}

const decoded = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
