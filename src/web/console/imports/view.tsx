/** @jsxImportSource preact */
// The views of imports: the form with the former ones, and one import from its dry run to its end.
import { Type } from '@sinclair/typebox'
import type { VNode } from 'preact'

import { COLUMN_NAMES } from '../../../features/business/imports/rules/columns.ts'
import { MAX_INVITES_PER_MINUTE } from '../../../features/business/imports/rules/pace.ts'
import type { ImportCounts } from '../../../features/business/imports/schemas.ts'
import {
  type ImportFindings,
  type ListedImport,
  MAX_IMPORT_BYTES,
  type UploadedImport,
} from '../../../features/business/uploaded-imports/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { Integer } from '../../../platform/schema/numbers.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { count, plural } from '../../../platform/text/format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { FileInput, Labelled } from '../../ui/fields.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { Metric, Metrics } from '../../ui/metrics.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { IMPORT_PATH, VERIFICATION_PATH } from '../verification/view.tsx'

const MEGABYTES = MAX_IMPORT_BYTES / 1024 / 1024
/** What browsers offer first. The content decides which form the file has. */
const FILE_TYPES = '.csv,.tsv,.txt,.jsonl,.ndjson,.json,text/csv'

/** The file comes by its id, once it is received. */
export const ImportForm = defineForm({
  file: { schema: Type.Optional(Uuid()) },
  pausesMissing: {
    schema: Type.Boolean(),
    label: 'Pause pros of former imports who are not in the file',
    hint: 'Each is told by e-mail. A pro who is in a later file is found again.',
  },
  paused: {
    schema: Type.Boolean(),
    label: 'New pros are not found yet',
    hint: 'Until their owners have logged in and resume, or you resume them.',
  },
  invitePerMinute: {
    schema: Type.Optional(Integer({ minimum: 1, maximum: MAX_INVITES_PER_MINUTE })),
    label: 'Invitations per minute',
    hint: 'Each pro of the file who has no log-in yet is sent a link to their page, so many in a minute. Empty: no pro is sent one.',
  },
})

export const TOO_LARGE = `is larger than ${MEGABYTES} MB: import it on the server by the command “hearth pros import”`

export const importsView = ({
  session,
  formState,
  waiting,
  imports,
}: {
  session: Session
  formState: FormState
  /** The file of a form that is shown again. */
  waiting: { id: string; name: string } | undefined
  imports: readonly ListedImport[]
}): VNode => {
  const field = {
    name: 'file',
    label: 'File',
    isOptional: waiting !== undefined,
    saysOptional: false,
    hint: `CSV in UTF-8 with the names of the columns in the first line, or JSON lines, up to ${MEGABYTES} MB. Each pro needs an id of your own, external_id, by which the next import finds it again.`,
  }
  return (
    <>
      <BackLink href={VERIFICATION_PATH}>Verification</BackLink>
      <PageHeading>Import of pros</PageHeading>
      <p class="lead">
        Upload a file of your own as often as it changes: new pros get a page, and known ones change as the file says.
        First you see what it would do.
      </p>
      {knownColumns}
      <Form of={ImportForm} action={IMPORT_PATH} session={session} formState={formState} hasFiles>
        <Labelled field={field}>
          <FileInput field={field} accept={FILE_TYPES} />
          {waiting && (
            <p>
              <label class="tick">
                <input type="checkbox" name="file" value={waiting.id} checked /> {waiting.name} is uploaded, and was not
                read yet.
              </label>
            </p>
          )}
        </Labelled>
        <Fields of={ImportForm} names={['pausesMissing', 'paused', 'invitePerMinute']} />
        <Button>Upload and check</Button>
      </Form>
      <Section title="Former imports">
        {imports.length === 0 ? <EmptyState title="No file was imported yet" /> : listOf(imports)}
      </Section>
    </>
  )
}

const knownColumns: VNode = (
  <p class="hint">Columns that an import knows: {COLUMN_NAMES.join(', ')}. Capitals, spaces and dashes do not count.</p>
)

const listOf = (imports: readonly ListedImport[]): VNode => (
  <Table
    caption="The latest first"
    columns={['When', 'File', 'By', 'State', 'Created', 'Changed', 'Paused', 'Refused']}
    numbers={4}
    rows={imports.map(({ id, name, by, status, preview, counts, createdAt }) => {
      const shown = counts ?? preview
      return [
        <Time instant={createdAt} />,
        <a href={`${IMPORT_PATH}/${id}`}>{name}</a>,
        by ?? '',
        stateBadge(status),
        ...(['created', 'changed', 'paused', 'refused'] as const).map((of) => (shown ? count(shown[of]) : '')),
      ]
    })}
  />
)

const STATES: Readonly<Record<ListedImport['status'], readonly [string, Tone]>> = {
  uploading: ['Uploading', 'plain'],
  uploaded: ['Being checked', 'wait'],
  checked: ['Checked, not imported', 'plain'],
  running: ['Being imported', 'wait'],
  done: ['Imported', 'good'],
  failed: ['Failed', 'bad'],
}
const stateBadge = (status: ListedImport['status']): VNode => {
  const [label, tone] = STATES[status]
  return <Badge tone={tone}>{label}</Badge>
}

/** While a worker reads the file, the page asks again by itself. */
export const importView = (session: Session, it: UploadedImport): VNode => {
  const path = `${IMPORT_PATH}/${it.id}`
  const isBusy = it.status === 'uploaded' || it.status === 'running'
  const refresh = isBusy && { 'hx-get': path, 'hx-trigger': 'every 2s', 'hx-select': '#import', 'hx-swap': 'outerHTML' }
  return (
    <>
      <BackLink href={IMPORT_PATH}>Import of pros</BackLink>
      <div id="import" {...refresh}>
        <PageHeading beside={stateBadge(it.status)}>{it.name}</PageHeading>
        {isBusy ? progressOf(it, path) : outcomeOf(session, it)}
        <Section title="How">
          <DetailList
            pairs={[
              ['By', it.by],
              ['Uploaded', <Time instant={it.createdAt} />],
              ['Started', it.startedAt && <Time instant={it.startedAt} />],
              ['Ended', it.finishedAt && <Time instant={it.finishedAt} />],
              ['Size', `${count(it.bytes)} bytes`],
              ['Form', it.format && (it.format === 'csv' ? 'CSV' : 'JSON lines')],
              ['Pros who are not in the file', it.options.pausesMissing ? 'are paused' : 'stay as they are'],
              ['New pros', it.options.status === 'paused' ? 'are not found yet' : 'are found at once'],
              ['Invitations', invitesOf(it)],
            ]}
          />
        </Section>
      </div>
    </>
  )
}

const invitesOf = ({ options: { invitesPerMinute } }: UploadedImport): string =>
  invitesPerMinute === null ? 'no pro is sent one' : `${count(invitesPerMinute)} in a minute`

function progressOf({ status, preview, counts, waitsForAnother }: UploadedImport, path: string): VNode {
  const read = status === 'running' ? counts : preview
  const total = status === 'running' && preview ? ` of ${count(prosIn(preview))}` : ''
  const act = status === 'running' ? 'Imported' : 'Checked'
  return (
    <>
      <p class="lead" role="status">
        {waitsForAnother
          ? 'Another file is read at the moment. This one waits for its turn, and begins by itself.'
          : read
            ? `${act} ${count(prosIn(read))}${total} lines so far.`
            : 'The file is read in a few seconds.'}
      </p>
      <p>
        You may leave this page: the work goes on. <a href={path}>Look again</a>
      </p>
    </>
  )
}

const prosIn = ({ created, changed, unchanged, refused }: ImportCounts): number =>
  created + changed + unchanged + refused

function outcomeOf(session: Session, it: UploadedImport): VNode {
  const { status, problem, counts, preview, findings } = it
  const shown = counts ?? preview
  return (
    <>
      {problem !== null && (
        <p class="notice bad" role="alert">
          {problem} What was imported before stays. <a href={IMPORT_PATH}>Upload a file</a>
        </p>
      )}
      {status === 'checked' && <p class="lead">This is what the import would do. Nothing was written yet.</p>}
      {status === 'done' && <p class="lead">The file is imported.</p>}
      {shown && figuresOf(shown)}
      {shown && notesOf(shown, status === 'done')}
      {findings?.stopped && <p class="notice wait">{findings.stopped}</p>}
      {status === 'checked' && shown && nextStep(session, it, shown)}
      {findings && findingsOf(it, findings, shown?.refused ?? 0)}
    </>
  )
}

const figuresOf = ({ created, changed, unchanged, paused, refused }: ImportCounts): VNode => (
  <Metrics>
    <Metric label="created">{count(created)}</Metric>
    <Metric label="changed">{count(changed)}</Metric>
    <Metric label="unchanged">{count(unchanged)}</Metric>
    <Metric label="paused">{count(paused)}</Metric>
    <Metric label="lines refused">{count(refused)}</Metric>
  </Metrics>
)

const notesOf = ({ resumed, invited, outsideArea }: ImportCounts, isDone: boolean): VNode => (
  <>
    {resumed > 0 && <p>{plural(resumed, 'pro')} of the changed ones can be found again.</p>}
    {invited > 0 && <p>{plural(invited, 'invitation')} will be sent.</p>}
    {outsideArea > 0 && (
      <p>
        {plural(outsideArea, 'pro')} {isDone ? 'come' : 'would come'} to no place of{' '}
        <a href="/console/area">your area</a>.
      </p>
    )}
  </>
)

function nextStep(session: Session, { id, keptUntil, options }: UploadedImport, counts: ImportCounts): VNode {
  const acts = (['created', 'changed', 'paused'] as const).filter((act) => counts[act] > 0)
  if (keptUntil === null)
    return (
      <p class="notice wait">
        The file was removed a day after it was checked. <a href={IMPORT_PATH}>Upload it again</a>
      </p>
    )
  if (acts.length === 0 && options.invitesPerMinute === null)
    return <p class="notice">There is nothing to import: all pros who were read are as the file says.</p>
  const words = acts.map((act) => `${WORDS[act]} ${count(counts[act])}`)
  return (
    <Form action={`${IMPORT_PATH}/${id}`} session={session}>
      <Button>{words.length > 0 ? `Import: ${words.join(', ')}` : 'Import: send invitations'}</Button>
    </Form>
  )
}

const WORDS = { created: 'create', changed: 'change', paused: 'pause' } as const

const findingsOf = ({ id, keptUntil }: UploadedImport, findings: ImportFindings, refused: number): VNode => (
  <>
    {findings.unknownColumns.length > 0 && (
      <Section title="Columns that were not understood">
        <p>{findings.unknownColumns.join(', ')}</p>
        {knownColumns}
      </Section>
    )}
    {refused > 0 && (
      <Section title="Refused lines">
        <p>
          The other lines are imported. Correct these in the file of refused lines, and upload that file: it has what is
          wrong beside each line.
        </p>
        {keptUntil !== null && (
          <p>
            <LinkButton href={`${IMPORT_PATH}/${id}/refused`} look="quiet">
              {`Download ${plural(refused, 'refused line')}`}
            </LinkButton>
          </p>
        )}
        <Table
          caption={refused > findings.refused.length ? `The first ${findings.refused.length} lines` : 'All of them'}
          columns={['Line', 'Column', 'What is wrong']}
          rows={findings.refused.flatMap(({ line, faults }) =>
            faults.map(({ column, message }) => [count(line), column ?? '', message]),
          )}
        />
      </Section>
    )}
  </>
)
