// The preview of the first page follows what is typed into the form; without this script it shows what is saved. A field for the colour
// opens the browser's choice of colours.
import { letterMarkPath } from '../../../../platform/style/letter.ts'
import { elementOf } from './elements.ts'

const face = elementOf(HTMLElement, '#face')
const shown = {
  /** A picture that was sent stands in place of the mark, and a logo in place of both. */
  mark: face.querySelector<HTMLImageElement>('.brand img:not(.sent)'),
  name: face.querySelector<HTMLElement>('.brand span'),
  tagline: elementOf(HTMLElement, '.lead', face),
}
const field = (name: string) => elementOf(HTMLInputElement, `form [name="${name}"]`)
const [name, tagline, accent] = [field('name'), field('tagline'), field('accent')]

const picker = document.createElement('input')
picker.type = 'color'
picker.setAttribute('aria-label', 'Choose a colour')
accent.after(picker)

const saved = { name: name.value, mark: shown.mark?.src ?? '' }

function follow(): void {
  const isColour = /^#[\da-f]{6}$/i.test(accent.value)
  const colour = isColour ? accent.value : (face.dataset['accent'] ?? '')
  picker.value = colour
  face.style.setProperty('--color-accent', colour)
  if (shown.name) shown.name.textContent = name.value
  shown.tagline.textContent = tagline.value || (face.dataset['tagline'] ?? '')
  // The mark of a name that is as it was saved may be a picture of its own.
  const isSaved = name.value === saved.name && colour === face.dataset['accent']
  if (shown.mark) shown.mark.src = isSaved ? saved.mark : letterMarkPath(name.value, colour)
}

for (const input of [name, tagline, accent]) input.addEventListener('input', follow)
picker.addEventListener('input', () => {
  accent.value = picker.value
  follow()
})
follow()
