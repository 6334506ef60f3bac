// The running total of a quote's lines. Without this script the button “Calculate” shows it.
const lines = document.querySelector('[data-lines]')
const total = lines?.querySelector('[data-total]')
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

if (total) {
  lines.querySelector('[name=preview]').remove()
  lines.addEventListener('input', showTotal)
}

function showTotal() {
  const cents = [...lines.querySelectorAll('.line-item')].map((line) => {
    const [, quantity, price] = line.querySelectorAll('input')
    return Math.round(quantity.value * price.value * 100)
  })
  total.value = `Total of the lines: ${dollars.format(cents.reduce((sum, line) => sum + line, 0) / 100)}`
}
