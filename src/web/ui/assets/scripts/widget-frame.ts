// The widget's place in the page, and what it shows there.
import { RefusedCall, base, slug } from './widget-api.ts'
import { styles, theme } from './widget-look.ts'
import { script } from './widget-script.ts'
import { linkTo, make } from './widget-text.ts'

const host = document.createElement('div')
const root = host.attachShadow({ mode: 'open' })
root.adoptedStyleSheets = [styles, theme]
const frame = make('section', { 'aria-label': 'Book a time' })
root.append(frame)
script.after(host)

let isInUse = false
frame.addEventListener('pointerdown', () => (isInUse = true))
frame.addEventListener('keydown', () => (isInUse = true))

/** Moves the focus within the widget only: at first it stays where the visitor is in the page. */
export function focusOn(selector: string): void {
  if (isInUse) root.querySelector<HTMLElement>(selector)?.focus()
}

export function render(...content: readonly (Node | false | undefined)[]): void {
  frame.replaceChildren(...content.filter((it) => !!it))
}

/** The first element of the widget. Each rendering replaces it. */
export const shownFirst = (): Element | null => frame.firstElementChild

/** Shows a heading as the widget's new content; the focus goes there. */
export function renderNews(heading: string, ...content: readonly (Node | false | undefined)[]): void {
  const title = titleOf(heading)
  render(title, ...content)
  title.focus()
}

export const titleOf = (text: string): HTMLElement => make('h2', { tabindex: '-1' }, text)

/** Adds a problem to what is shown, in place of those before. */
export function renderProblem(...content: readonly (Node | string)[]): void {
  for (const old of frame.querySelectorAll('[role=alert]')) old.remove()
  frame.append(make('p', { class: 'bad', role: 'alert' }, ...content))
}

/** Shows an error. The link leads to the pro's page if nothing is chosen yet. */
export function renderError(error: unknown, { withLink }: { withLink: boolean }): void {
  const { detail, errors } = error instanceof RefusedCall ? error.problem : {}
  const text = errors?.map(({ path, message }) => `${path.split('.').pop()} ${message}`).join(', ') ?? detail
  renderProblem(text ?? blockedText())
  if (withLink) frame.append(make('p', {}, linkTo(`${base}/pros/${slug}`, 'See open times on our page')))
}

/** Browsers do not tell a script why they block a response. */
const blockedText = () =>
  `Online booking is not available right now. If you own this page: lock the widget's key to ${location.origin}.`
