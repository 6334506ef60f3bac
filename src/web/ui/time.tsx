/** @jsxImportSource preact */
// Instants, as text and for programs.
import type { VNode } from 'preact'

import { dateTimeText, exactDateTimeText } from '../../platform/text/format.ts'

/** "Jun 1, 2026, 12:00 UTC". */
export const Time = ({ instant }: { instant: string }): VNode => <time datetime={instant}>{dateTimeText(instant)}</time>

/** "Jun 1, 2026, 12:00:05 UTC". */
export const ExactTime = ({ instant }: { instant: string }): VNode => (
  <time datetime={instant}>{exactDateTimeText(instant)}</time>
)
