// The parts of pages: headings, tables, badges, detail lists, empty states, tabs, pagers, charts.
import type { PageMeta } from '../../platform/schema/paging.ts'
import { count } from '../../platform/text/format.ts'
import { type Html, type HtmlValue, html } from '../../platform/text/html.ts'

/** `good`: in order. `wait`: someone has to act. `bad`: failed. */
export type Tone = 'good' | 'wait' | 'bad' | 'plain'

export const badge = (label: string, tone: Tone = 'plain'): Html => html`<span class="badge ${tone}">${label}</span>`

/** The page's heading, with buttons or a badge beside it. */
export const pageHeading = (title: HtmlValue, beside?: HtmlValue): Html =>
  html`<div class="heading">
    <h1>${title}</h1>
    ${beside && html`<div class="beside">${beside}</div>`}
  </div>`

/** A part of a page with its own heading. */
export const section = (title: string, content: HtmlValue): Html =>
  html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`

/**
 * A table. On a narrow screen each row becomes a card with labelled cells. Columns from index `numbers` on are aligned
 * to the right. With `isDense`, the cells of a card run on in lines and those without a value are left out.
 */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
  { numbers = columns.length, isDense = false }: { numbers?: number; isDense?: boolean } = {},
): Html {
  const kind = (index: number) => index >= numbers && html`class="number"`
  return html`<table class="cards ${isDense && 'dense'}">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column, index) => html`<th scope="col" ${kind(index)}>${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, index) => html`<td data-column="${columns[index] ?? ''}" ${kind(index)}>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** The message for an empty list, and what to do next. */
export const emptyState = (title: string, hint: HtmlValue): Html =>
  html`<div class="empty">
    <p><strong>${title}</strong></p>
    <p>${hint}</p>
  </div>`

/** Names with values. Names without a value are omitted. */
export const detailList = (pairs: readonly (readonly [name: string, value: HtmlValue])[]): Html =>
  html`<dl class="pairs">
    ${pairs
      .filter(
        ([, value]) => value !== null && value !== undefined && value !== false && value !== '' && !isEmpty(value),
      )
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`

const isEmpty = (value: HtmlValue): boolean => Array.isArray(value) && value.length === 0

/** A link to the list that the page belongs to. */
export const backLink = (label: string, href: string): Html => html`<p class="up"><a href="${href}">← ${label}</a></p>`

/** Buttons and disclosures in a row. */
export const buttonRow = (content: HtmlValue): Html => html`<div class="choices">${content}</div>`

/** A number with its label, and a link to the page with details. */
export const metric = (label: string, value: HtmlValue, href?: string): Html => {
  const content = html`<span class="value">${value}</span> <span class="label">${label}</span>`
  return href === undefined
    ? html`<div class="figure">${content}</div>`
    : html`<a class="figure" href="${href}">${content}</a>`
}

export const metrics = (content: readonly Html[]): Html => html`<div class="figures">${content}</div>`

/** Links that filter one list by a query parameter. */
export const tabs = (
  label: string,
  { path, parameter, chosen }: { path: string; parameter: string; chosen: string },
  choices: readonly { value: string; label: string }[],
): Html =>
  html`<nav class="tabs" aria-label="${label}">
    ${choices.map(
      ({ value, label }) =>
        html`<a
          href="${value === '' ? path : `${path}?${parameter}=${encodeURIComponent(value)}`}"
          ${value === chosen && html`aria-current="page"`}
          >${label}</a
        >`,
    )}
  </nav>`

/** The position in a list, with links to the previous and next page. */
export function pager(
  path: string,
  { total, limit, offset, hasMore }: PageMeta,
  query: Record<string, string> = {},
  [previous, next]: readonly [string, string] = ['← Newer', 'Older →'],
): Html | false {
  if (total <= limit && offset === 0) return false
  const at = (to: number) => `${path}?${new URLSearchParams({ ...query, offset: String(Math.max(0, to)) }).toString()}`
  return html`<nav class="pager" aria-label="Pages">
    ${offset > 0 ? html`<a href="${at(offset - limit)}" rel="prev">${previous}</a>` : html`<span></span>`}
    <span>${count(Math.min(offset + 1, total))} to ${count(Math.min(offset + limit, total))} of ${count(total)}</span>
    ${hasMore ? html`<a href="${at(offset + limit)}" rel="next">${next}</a>` : html`<span></span>`}
  </nav>`
}

/** A block of text, such as a command. `id` is unique on the page. The page loads console.js. */
export const copyable = (id: string, label: string, text: string): Html => html`
  <div class="copyable">
    <p class="hint" id="${id}-label">${label}</p>
    <pre id="${id}" tabindex="0" role="region" aria-labelledby="${id}-label">${text}</pre>
    <button type="button" class="quiet small" data-copy="${id}" aria-describedby="${id}-label" hidden>Copy</button>
  </div>
`

export interface Series {
  label: string
  /** One value per day. */
  values: readonly number[]
  /** A colour of the stylesheet. */
  tone: 'plain' | 'accent' | 'good' | 'wait' | 'bad'
}

/** A chart by day. `chart.js` stacks the series with uPlot; the page also shows the values in a table. */
export const chart = (label: string, days: readonly string[], series: readonly Series[]): Html =>
  html`<div
    class="chart"
    role="img"
    aria-label="${label}. The tables below contain the values."
    data-chart="${JSON.stringify({ days, series })}"
  ></div>`
