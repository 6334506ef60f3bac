/** @jsxImportSource preact */
// What people search for, and what they search for in vain.
import type { VNode } from 'preact'

import { type Permitted, mayOpen } from '../../../auth/users/rules/permissions.ts'
import type { Growth } from '../../../features/business/analytics/verbs.ts'
import { MISS_DAYS, SHOWN_FROM_DAYS } from '../../../features/search/counts/rules/missed-words.ts'
import type { ListedMiss } from '../../../features/search/counts/verbs/counts.ts'
import { count, day } from '../../../platform/text/format.ts'
import { Section } from '../../ui/headings.tsx'
import { Metric, Metrics } from '../../ui/metrics.tsx'
import { Table } from '../../ui/table.tsx'
import { type By, changeOf, chartWithTable } from './charts.tsx'

export const searchesView = ({ steps, total, before }: Growth, by: By): VNode => (
  <>
    <Section title="Searches">
      <p class="hint">
        By the day in UTC, first pages only, without searches in test mode and by crawlers that say so. A page that a
        browser or proxy had kept is not counted again.
      </p>
      <Metrics>
        <Metric label={`on pages; ${changeOf(total.byPages, before.byPages, count)}`}>{count(total.byPages)}</Metric>
        <Metric label={`by programs; ${changeOf(total.byPrograms, before.byPrograms, count)}`}>
          {count(total.byPrograms)}
        </Metric>
        <Metric label={`by agents; ${changeOf(total.byAgents, before.byAgents, count)}`}>
          {count(total.byAgents)}
        </Metric>
      </Metrics>
      {chartWithTable(`Searches by ${by}`, steps, by, {
        series: [
          { label: 'On pages', of: (it) => it.byPages, tone: 'plain' },
          { label: 'By programs', of: (it) => it.byPrograms, tone: 'good' },
          { label: 'By agents', of: (it) => it.byAgents, tone: 'wait' },
        ],
      })}
    </Section>
    <Section title="Searches without results">
      <p class="hint">
        Of those searches, the ones that found no pro. A search that asks for a price, a rating, a day or less than the
        usual distance is not among them: that may be why it found no pro.
      </p>
      <Metrics>
        <Metric label={`without results; ${changeOf(total.misses, before.misses, count)}`}>
          {count(total.misses)}
        </Metric>
      </Metrics>
      {chartWithTable(`Searches without results by ${by}`, steps, by, {
        series: [{ label: 'Without results', of: (it) => it.misses, tone: 'bad' }],
      })}
    </Section>
  </>
)

/** What was searched for in vain, and what an operator can do about it. */
export function SearchedInVain({ missed, session }: { missed: readonly ListedMiss[]; session: Permitted }): VNode {
  const link = (href: string, text: string) => (mayOpen(session, href) ? <a href={href}>{text}</a> : text)
  return (
    <Section title="Searched in vain">
      <p class="hint">
        What the searches without results of at most {MISS_DAYS} days asked for, most often first. Words that the
        catalog does not know are shown once they were searched for on {SHOWN_FROM_DAYS} days, and never with digits or
        “@”: they may be about a person. A service without pros needs {link('/console/pros/new', 'pros')}, unknown words
        become other names of a service in {link('/console/catalog', 'the catalog')}, and places belong to{' '}
        {link('/console/area', 'the area')}.
      </p>
      {missed.length === 0 ? (
        <p>Nothing to show yet.</p>
      ) : (
        <Table
          caption="Searched in vain"
          columns={['Asked for', 'Where', 'Known', 'Times', 'Last']}
          rows={missed.map(({ kind, phrase, place, times, last }) => [
            <a href={`/?${new URLSearchParams({ service: phrase, place }).toString()}`}>{phrase || 'Any service'}</a>,
            place || 'No place',
            kind === 'typed' ? 'No, as typed' : 'Yes',
            count(times),
            day(last),
          ])}
          numbers={3}
        />
      )}
    </Section>
  )
}
