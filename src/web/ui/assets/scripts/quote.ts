// The running total of a quote's lines. Without this script the button “Calculate” shows it.
import { shortMoney } from '../../../../platform/text/price.ts'

const lines = document.querySelector<HTMLElement>('#itemDescription')
const total = lines?.querySelector<HTMLOutputElement>('[data-total]')

if (lines && total) {
  lines.querySelector('[name=preview]')?.remove()
  lines.addEventListener('input', () => (total.value = totalOf(lines)))
}

function totalOf(lines: HTMLElement): string {
  const cents = [...lines.querySelectorAll('.line-item')].map((line) => {
    const [, quantity, price] = line.querySelectorAll('input')
    return Math.round(Number(quantity?.value) * Number(price?.value) * 100)
  })
  const dollars = cents.reduce((sum, line) => sum + line, 0) / 100
  return `Total of the lines: ${shortMoney(dollars)}`
}
