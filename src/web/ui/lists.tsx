/** @jsxImportSource preact */
// What stands around a list: tabs that filter it, a pager, and what it says when it is empty.
import type { ComponentChildren, VNode } from 'preact'

import type { PageMeta } from '../../platform/schema/paging.ts'
import { count } from '../../platform/text/format.ts'

/** The message for an empty list, and what to do next. */
export const EmptyState = ({ title, children }: { title: string; children?: ComponentChildren }): VNode => (
  <div class="empty">
    <p>
      <strong>{title}</strong>
    </p>
    <p>{children}</p>
  </div>
)

/** Links that filter one list by a query parameter. */
export const Tabs = ({
  label,
  path,
  parameter,
  chosen,
  choices,
}: {
  label: string
  path: string
  parameter: string
  chosen: string
  choices: readonly { value: string; label: string }[]
}): VNode => (
  <nav class="tabs" aria-label={label}>
    {choices.map((choice) => (
      <a
        href={choice.value === '' ? path : `${path}?${parameter}=${encodeURIComponent(choice.value)}`}
        aria-current={choice.value === chosen ? 'page' : undefined}
      >
        {choice.label}
      </a>
    ))}
  </nav>
)

/** The position in a list, with links to the previous and next page. */
export function Pager({
  path,
  meta: { total, limit, offset, hasMore },
  query = {},
  anchor,
  words: [previous, next] = ['← Newer', 'Older →'],
}: {
  path: string
  meta: PageMeta
  query?: Record<string, string>
  /** The part of the page with the list, if others come before it. */
  anchor?: string
  words?: readonly [string, string] | undefined
}): VNode | null {
  if (total <= limit && offset === 0) return null
  const at = (to: number) =>
    `${path}?${new URLSearchParams({ ...query, offset: String(Math.max(0, to)) }).toString()}${anchor === undefined ? '' : `#${anchor}`}`
  return (
    <nav class="pager" aria-label="Pages">
      {offset > 0 ? (
        <a href={at(offset - limit)} rel="prev">
          {previous}
        </a>
      ) : (
        <span></span>
      )}
      <span>
        {count(Math.min(offset + 1, total))} to {count(Math.min(offset + limit, total))} of {count(total)}
      </span>
      {hasMore ? (
        <a href={at(offset + limit)} rel="next">
          {next}
        </a>
      ) : (
        <span></span>
      )}
    </nav>
  )
}

/** What is done one after the other. */
export const Steps = ({ steps }: { steps: readonly VNode[] }): VNode => (
  <ol class="steps">
    {steps.map((step) => (
      <li>{step}</li>
    ))}
  </ol>
)

/** A list that is the whole page. Its unseen heading stands between that of the page and those of the rows. */
export const WholeList = ({ heading, rows }: { heading: string; rows: readonly VNode[] }): VNode => (
  <>
    <h2 class="unseen">{heading}</h2>
    <ul class="offers">{rows}</ul>
  </>
)
