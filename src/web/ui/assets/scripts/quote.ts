// The running total of a quote's lines. Without this script the button “Calculate” shows it.
const lines = document.querySelector('[data-lines]')
const total = lines?.querySelector('[data-total]')

if (total) {
  lines.querySelector('[name=preview]').remove()
  lines.addEventListener('input', showTotal)
}

function showTotal() {
  const cents = [...lines.querySelectorAll('.line-item')].map((line) => {
    const [, quantity, price] = line.querySelectorAll('input')
    return Math.round(quantity.value * price.value * 100)
  })
  const dollars = cents.reduce((sum, line) => sum + line, 0) / 100
  // Cents where there are some, as on all pages.
  const digits = Number.isInteger(dollars) ? 0 : 2
  const format = { style: 'currency', currency: 'USD', maximumFractionDigits: digits, minimumFractionDigits: digits }
  total.value = `Total of the lines: ${dollars.toLocaleString('en-US', format)}`
}
