// The questions of the service that is chosen. Without this script those of another service are asked when the form is sent.
import { elementsOf } from './elements.ts'

const select = document.querySelector<HTMLSelectElement>('select[name=service]')

if (select) {
  const asked = select.form?.elements.namedItem('asked')
  const follow = () => {
    for (const question of elementsOf('[data-services]')) {
      question.hidden = !question.dataset['services']?.split(' ').includes(select.value)
      // A page does not have the questions of every service of a pro with very many.
      if (!question.hidden && asked instanceof HTMLInputElement) asked.value = select.value
    }
  }
  select.addEventListener('change', follow)
  // Browsers restore a choice when the page is opened again.
  addEventListener('pageshow', follow)
}
