// The form of a quote: an amount, or lines whose sum is the amount.
import { Type } from '@sinclair/typebox'

import { MAX_VALID_FOR_DAYS } from '../../../features/quoting/quotes/rules/validity.ts'
import { type LineItem, MAX_DOLLARS } from '../../../features/quoting/quotes/schemas.ts'
import { Decimal, Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, Text } from '../../../platform/schema/types.ts'
import { defineForm } from '../../ui/define-form.tsx'

const rows = { schema: Type.Optional(Type.Array(Text(500), { maxItems: 20 })) }

export const NewQuoteForm = defineForm(
  {
    amount: {
      schema: Type.Optional(Decimal({ minimum: 0.01, maximum: MAX_DOLLARS })),
      label: 'Amount, US dollars',
      hint: 'Leave empty if you enter line items: the amount is their sum.',
    },
    itemDescription: rows,
    itemQuantity: rows,
    itemUnitPrice: rows,
    estimatedDays: { schema: Type.Optional(Integer({ minimum: 1, maximum: 3650 })), label: 'Days of work' },
    depositPercentage: { schema: Type.Optional(Decimal({ minimum: 0.01, maximum: 100 })), label: 'Deposit, %' },
    validForDays: {
      schema: Type.Optional(Integer({ minimum: 1, maximum: MAX_VALID_FOR_DAYS })),
      label: 'Valid for (days)',
      isOptional: false,
    },
    message: { schema: Type.Optional(FreeText()), label: 'Message to the customer', rows: 3 },
    paymentTerms: { schema: Type.Optional(FreeText()), label: 'Payment terms', rows: 2 },
    /** The button that shows the total instead of sending. */
    preview: { schema: Type.Optional(Text(10)) },
  },
  ({ amount, ...lines }) => {
    const items = lineItemsOf(lines)
    return {
      itemDescription: items.every(isWhole) ? undefined : 'each line item needs a description, a quantity and a price',
      amount: amount === undefined && items.length === 0 ? 'is required unless you enter line items' : undefined,
    }
  },
)

type Rows = Partial<Record<'itemDescription' | 'itemQuantity' | 'itemUnitPrice', string[]>>

/** The line items. Each is a row of fields; empty rows are ignored. */
export const lineItemsOf = ({ itemDescription = [], itemQuantity = [], itemUnitPrice = [] }: Rows): LineItem[] =>
  itemDescription.flatMap((description, row) => {
    const [quantityText = '', priceText = ''] = [itemQuantity[row], itemUnitPrice[row]]
    if (description + quantityText + priceText === '') return []
    const [quantity, unitPrice] = [Number(quantityText), priceText === '' ? NaN : Number(priceText)]
    return [{ description, quantity, unitPrice, amount: Math.round(quantity * unitPrice * 100) / 100 }]
  })

const isWhole = ({ description, quantity, amount }: LineItem): boolean =>
  description !== '' && quantity > 0 && Number.isFinite(amount)
