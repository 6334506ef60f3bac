/** @jsxImportSource preact */
// Markup from TSX. The renderer escapes every value; the elements here are the only ones with text that it does not.
import type { ComponentChild, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** The elements as HTML. */
export const renderMarkup = (content: ComponentChild): string => renderToString(<>{content}</>)

/** A whole document, with its `<html>` as the element. */
export const renderDocument = (document: VNode): string => `<!doctype html>${renderToString(document)}`

/** JSON for scripts and search engines. Escaping `<` keeps a value from closing the element (HTML §4.12.1.3). */
export const DataBlock = ({
  id,
  type = 'application/json',
  value,
}: {
  id?: string
  type?: 'application/json' | 'application/ld+json'
  value: unknown
}): VNode => (
  <script
    id={id}
    type={type}
    dangerouslySetInnerHTML={{ __html: JSON.stringify(value).replaceAll('<', String.raw`\u003c`) }}
  />
)

/** A style sheet of our own in the document, as messages need it. */
export const StyleSheet = ({ text }: { text: string }): VNode => <style dangerouslySetInnerHTML={{ __html: text }} />
