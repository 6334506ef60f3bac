// A sent form says that it is working, and is not sent again meanwhile. Without this script a form works as well: its page's
// idempotency key makes it take effect once.
import { elementsOf } from './elements.ts'

/** The browser may stay on the page: the person stopped loading, or the response is a download. */
const LONGEST_MS = 10_000

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== 'post') return
  if (form.ariaBusy !== null) return event.preventDefault()
  for (const element of [form, submitter]) element?.setAttribute('aria-busy', 'true')
  setTimeout(rest, LONGEST_MS)
})

// The back button may show the page as it was left.
addEventListener('pageshow', rest)

function rest(): void {
  for (const element of elementsOf('form[aria-busy], button[aria-busy]')) element.removeAttribute('aria-busy')
}
