// The copy buttons of the console. The pages work without scripts.
import { elementsOf } from './elements.ts'

// Browsers have no clipboard outside of secure contexts.
if ('clipboard' in navigator)
  for (const button of elementsOf('[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', () => void copy(button))
  }

async function copy(button: HTMLElement): Promise<void> {
  const source = document.getElementById(button.dataset['copy'] ?? '')
  const text = source instanceof HTMLInputElement ? source.value : source?.textContent
  await navigator.clipboard.writeText(text ?? '')
  button.textContent = 'Copied'
}
