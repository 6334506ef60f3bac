// The form of a quote: its lines and its amount are checked with everything else.
import { expect, test } from 'bun:test'

import { readFields } from '../../../src/http/form.ts'
import { NewQuoteForm, lineItemsOf } from '../../../src/web/console/leads/forms.ts'

const sent = (lines: readonly (readonly string[])[], fields: Record<string, string> = {}) => {
  const form = new URLSearchParams(fields)
  for (const line of lines)
    for (const [index, name] of ['itemDescription', 'itemQuantity', 'itemUnitPrice'].entries())
      form.append(name, line[index] ?? '')
  return readFields(NewQuoteForm, form)
}

test('an incomplete line, a missing amount and wrong days are refused in one turn', () => {
  for (const line of [
    ['Paint', '', '5'],
    ['', '1', '5'],
    ['Paint', '1', ''],
    ['Paint', 'two', '5'],
    ['Paint', '0', '5'],
  ]) {
    const read = sent([['', '', ''], line], { estimatedDays: '0' })
    expect([line, read.ok ? [] : Object.keys(read.errors).sort()]).toEqual([line, ['estimatedDays', 'itemDescription']])
  }
  const empty = sent([['', '', '']], { depositPercentage: '200' })
  expect(empty.ok ? [] : Object.keys(empty.errors).sort()).toEqual(['amount', 'depositPercentage'])
})

test('whole lines are read in their order, and empty ones between them are left out', () => {
  const read = sent([
    ['Paint', '2', '10.50'],
    ['', '', ''],
    ['Labor', '1.5', '40'],
  ])
  expect(read.ok ? lineItemsOf(read.value) : read).toEqual([
    { description: 'Paint', quantity: 2, unitPrice: 10.5, amount: 21 },
    { description: 'Labor', quantity: 1.5, unitPrice: 40, amount: 60 },
  ])
})
