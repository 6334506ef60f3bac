// The page of the logo and the icon shows what is chosen, and what is left when one is removed, before it is saved.
import { elementOf, elementsOf } from './elements.ts'

const KINDS = ['logo', 'icon'] as const
type Kind = (typeof KINDS)[number]

const grounds = elementOf(HTMLElement, '#grounds')
const { name = '', mark = '' } = grounds.dataset
const chosen = new Map<Kind, string>()

const isRemoved = (kind: Kind) =>
  document.querySelector<HTMLInputElement>(`input[name="remove"][value="${kind}"]`)?.checked === true

/** The address of what would be shown if the form were saved now. */
const shownOf = (kind: Kind): string | undefined =>
  chosen.get(kind) ?? (isRemoved(kind) ? undefined : grounds.dataset[kind])

function picture(src: string, alt: string): HTMLImageElement {
  const image = new Image()
  image.className = alt === '' ? 'sent mark' : 'sent'
  image.alt = alt
  image.src = src
  return image
}

function show(): void {
  const [logo, icon = mark] = [shownOf('logo'), shownOf('icon')]
  for (const brand of elementsOf('.brand', grounds))
    brand.replaceChildren(...(logo === undefined ? [picture(icon, ''), ` ${name}`] : [picture(logo, name)]))
  for (const image of elementsOf('.icons img', grounds)) image.setAttribute('src', icon)
}

/** Pages load no `blob:` addresses. */
function choose(kind: Kind, file: File | undefined): void {
  chosen.delete(kind)
  show()
  if (!file) return
  const reader = new FileReader()
  reader.addEventListener('load', () => {
    if (typeof reader.result === 'string') chosen.set(kind, reader.result)
    show()
  })
  reader.readAsDataURL(file)
}

for (const kind of KINDS) {
  const input = elementOf(HTMLInputElement, `input[type="file"][name="${kind}"]`)
  input.addEventListener('change', () => choose(kind, input.files?.[0]))
}
for (const box of elementsOf('input[name="remove"]')) box.addEventListener('change', show)
