/** @jsxImportSource preact */
// Values in rows: of many records, or of one.
import type { ComponentChildren, VNode } from 'preact'

/**
 * A table. On a narrow screen each row becomes a card with labelled cells. Columns from index `numbers` on are aligned
 * to the right. With `isDense`, the cells of a card run on in lines and those without a value are left out.
 */
export function Table({
  caption,
  columns,
  rows,
  numbers = columns.length,
  isDense = false,
}: {
  caption: string
  columns: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
  numbers?: number
  isDense?: boolean
}): VNode {
  const kind = (index: number) => (index >= numbers ? 'number' : undefined)
  return (
    <table class={isDense ? 'cards dense' : 'cards'}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, index) =>
            column === '' ? (
              <td class={kind(index)}></td>
            ) : (
              <th scope="col" class={kind(index)}>
                {column}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, index) => (
              <td data-column={columns[index] ?? ''} class={kind(index)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Names with values. Names without a value are omitted. */
export const DetailList = ({
  pairs,
}: {
  pairs: readonly (readonly [name: string, value: ComponentChildren])[]
}): VNode => (
  <dl class="pairs">
    {pairs
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

const isEmpty = (value: ComponentChildren): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)
