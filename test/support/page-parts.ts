// The links and forms of a page, as a browser reads them.
import { unescaped } from './escaped.ts'

export interface Field {
  name: string
  type: string
  value: string
  /** The values of a select. */
  options: string[]
  isRequired: boolean
  isChecked: boolean
}

export interface Form {
  action: string
  method: string
  fields: Field[]
  /** Whether a button sends the form without a value of its own. */
  hasPlainButton: boolean
}

export interface PageParts {
  links: string[]
  forms: Form[]
  /** Links, buttons and fields in the page's main part: without one, the page is a dead end. */
  waysOn: number
  /** Whether the page tells what went wrong, beside a field or for the form as a whole. */
  hasProblem: boolean
  /** Each h1. */
  headings: string[]
  title: string
  /** What the page shows in frames. */
  frames: string[]
}

/** Reads a page. `path` is what a form without an action sends to. */
export function pagePartsOf(html: string, path: string): PageParts {
  const parts: PageParts = { links: [], forms: [], waysOn: 0, hasProblem: false, headings: [], title: '', frames: [] }
  let form: Form | undefined
  new HTMLRewriter()
    .on('a[href]', {
      element: (link) => void parts.links.push(unescaped(link.getAttribute('href') ?? '')),
    })
    .on('main a[href], main button, main input, main iframe, main summary', { element: () => void parts.waysOn++ })
    .on('[role=alert], .fault', { element: () => void (parts.hasProblem = true) })
    .on('h1', {
      element: () => void parts.headings.push(''),
      text: ({ text }) => void parts.headings.push((parts.headings.pop() ?? '') + text),
    })
    .on('head > title', { text: ({ text }) => void (parts.title += text) })
    .on('iframe[src]', { element: (frame) => void parts.frames.push(frame.getAttribute('src') ?? '') })
    .on('form', {
      element: (element) => {
        const action = unescaped(element.getAttribute('action') ?? path)
        form = {
          action,
          method: element.getAttribute('method')?.toLowerCase() ?? 'get',
          fields: [],
          hasPlainButton: false,
        }
        parts.forms.push(form)
      },
    })
    .on('form button:not([name])', { element: () => void (form && (form.hasPlainButton = true)) })
    .on('form input[name], form textarea[name], form select[name], form button[name]', {
      element: (element) => {
        const attribute = (name: string) => unescaped(element.getAttribute(name) ?? '')
        const type = element.tagName === 'input' ? attribute('type') || 'text' : element.tagName
        form?.fields.push({
          name: attribute('name'),
          type,
          value: attribute('value'),
          options: [],
          isRequired: element.hasAttribute('required'),
          isChecked: element.hasAttribute('checked'),
        })
      },
    })
    .on('form select[name] option', {
      element: (option) => void form?.fields.at(-1)?.options.push(unescaped(option.getAttribute('value') ?? '')),
    })
    .transform(html)
  return parts
}
