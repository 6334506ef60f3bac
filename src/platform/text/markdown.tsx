/** @jsxImportSource preact */
// Markdown that operators write, as elements of a page. It brings no markup of its own, loads no pictures, and its links lead to
// pages, e-mail addresses and phone numbers only: whatever else it says is text.
import MarkdownIt from 'markdown-it'
import { type ComponentChild, type VNode, h } from 'preact'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

/** `/terms` is a page of this site; `//host` and `/\host` are not. */
const LINK = /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i

/** A picture becomes a link to it. The rule would also read 60,000 characters of `![` for 4 s. */
const parser = new MarkdownIt({ html: false }).disable('image')
parser.validateLink = (url) => LINK.test(url)

const TAGS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote hr br strong em s a code pre table thead tbody tr th td'.split(' '),
)
/** Ids of the page are no ids of a text. */
const ID_PREFIX = 'text-'

/** The text as elements. Its headings begin at the level `below`, and leave none out. */
export const Markdown = ({ text, below }: { text: string; below: 2 | 3 }): VNode => {
  const tokens = parser.parse(text, {})
  return <>{elementsOf(tokens, headingsOf(tokens, below))}</>
}

interface Heading {
  readonly tag: string
  readonly id: string
}

/** The level and the id of each heading, by the token that opens it. */
function headingsOf(tokens: readonly Token[], below: number): ReadonlyMap<Token, Heading> {
  const levelOf = ({ tag }: Token) => Number(tag.slice(1))
  const opening = tokens.flatMap((token, at) =>
    token.type === 'heading_open' ? [{ token, text: tokens[at + 1] }] : [],
  )
  const top = opening.reduce((least, { token }) => Math.min(least, levelOf(token)), 6)
  const ids = new Map<string, number>()
  let last = below - 1
  return new Map(
    opening.map(({ token, text }) => {
      last = Math.min(levelOf(token) - top + below, last + 1, 6)
      const name = slugOf(text?.content ?? '')
      const times = ids.get(name) ?? 0
      ids.set(name, times + 1)
      return [token, { tag: `h${last}`, id: `${ID_PREFIX}${name}${times === 0 ? '' : `-${times}`}` }]
    }),
  )
}

/** As most programs name the headings of Markdown, so that a list of contents leads to them. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

function elementsOf(tokens: readonly Token[], headings: ReadonlyMap<Token, Heading>): ComponentChild[] {
  const open: { token?: Token; children: ComponentChild[] }[] = [{ children: [] }]
  const add = (child: ComponentChild) => open.at(-1)?.children.push(child)
  for (const token of tokens) {
    // The paragraphs of a list without blank lines.
    if (token.hidden) continue
    if (token.nesting === 1) open.push({ token, children: [] })
    else if (token.nesting === 0) add(leafOf(token, headings))
    else {
      const ended = open.pop()
      if (ended?.token) add(elementOf(ended.token, headings, ended.children))
    }
  }
  return open[0]?.children ?? []
}

function elementOf(token: Token, headings: ReadonlyMap<Token, Heading>, children: ComponentChild[]): ComponentChild {
  const { tag, id } = headings.get(token) ?? { tag: token.tag, id: undefined }
  if (!TAGS.has(tag)) return children
  if (tag === 'ol') return h('ol', { start: Number(token.attrGet('start') ?? 1) }, children)
  if (tag !== 'a') return h(tag, { id }, children)
  const href = String(token.attrGet('href') ?? '')
  return h('a', { href: href.startsWith('#') ? `#${ID_PREFIX}${href.slice(1)}` : href }, children)
}

function leafOf(token: Token, headings: ReadonlyMap<Token, Heading>): ComponentChild {
  switch (token.type) {
    case 'inline':
      return elementsOf(token.children ?? [], headings)
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'hr':
      return <hr />
    case 'code_inline':
      return <code>{token.content}</code>
    case 'code_block':
    case 'fence':
      return (
        <pre>
          <code>{token.content}</code>
        </pre>
      )
    default:
      return token.content
  }
}
