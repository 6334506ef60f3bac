// The print button. Without scripts, people print from the browser's menu.
import { elementsOf } from './elements.ts'

for (const button of elementsOf('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}
