/** @jsxImportSource preact */
// The views of legal texts: the three of them, and one with its preview, its changes and its versions.
import { Type } from '@sinclair/typebox'
import { diffLines } from 'diff'
import type { VNode } from 'preact'

import {
  LEGAL_KINDS,
  LegalContent,
  type LegalKind,
  type LegalText,
  type LegalTexts,
} from '../../../features/upkeep/legal-texts/schemas.ts'
import { type listVersionsOf, normalText } from '../../../features/upkeep/legal-texts/verbs.ts'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { Integer } from '../../../platform/schema/numbers.ts'
import { OneOf } from '../../../platform/schema/types.ts'
import { Markdown } from '../../../platform/text/markdown.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { versionPath } from '../../ui/legal-texts.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

export const TEXTS_PATH = '/console/marketplace/texts'

export const NAMES: Readonly<Record<LegalKind, string>> = {
  terms: 'Terms',
  privacy: 'Privacy policy',
  imprint: 'Imprint',
}

/** What the page says besides, without a text of its own and with one. */
const BESIDES: Readonly<Record<LegalKind, string>> = {
  terms: 'Your terms come first. The booking terms, which say what the software applies, follow them.',
  privacy: 'Your policy comes first. What the software stores, and how people get a copy or erase it, follows it.',
  imprint: 'Who runs the site, as the law of many countries asks. Without a text there is no such page.',
}

export const TextForm = defineForm({
  content: {
    schema: Type.Optional(LegalContent),
    label: 'Text in Markdown',
    hint: '# begins a heading, - a point of a list, **bold**, [text](https://…) a link. Markup of HTML is shown as text, and a picture as a link.',
    rows: 18,
  },
  version: { schema: Integer({ minimum: 0, maximum: 1_000_000 }) },
  step: { schema: Type.Optional(OneOf(['preview', 'publish'])) },
})

export const textListView = (texts: LegalTexts): VNode => (
  <>
    <BackLink href="/console/marketplace">Marketplace</BackLink>
    <PageHeading>Legal texts</PageHeading>
    <p class="lead">
      In your own words, for customers and pros. Each page, message and consent of an app leads to them.
    </p>
    <Table
      caption="The texts"
      columns={['Text', 'In force', 'Since']}
      rows={LEGAL_KINDS.map((kind) => {
        const text = texts[kind]
        return [
          <a href={`${TEXTS_PATH}/${kind}`}>{NAMES[kind]}</a>,
          text?.isEmpty === false ? (
            <a href={versionPath(kind, text)}>Version {text.version}</a>
          ) : (
            <Badge tone="wait">Missing</Badge>
          ),
          text && <Time instant={text.at} />,
        ]
      })}
    />
  </>
)

interface Preview {
  readonly content: string
  /** What differs from the text in force; undefined where there is too much. */
  readonly changes: readonly { readonly value: string; readonly added: boolean }[] | undefined
}

/** How long two texts are compared. */
const COMPARE_MS = 200

/** The draft as it would be read, with what it changes. */
export function previewOf(text: LegalText | undefined, draft: string): Preview {
  const content = normalText(draft)
  const parts = diffLines(`${text?.content ?? ''}\n`, `${content}\n`, { timeout: COMPARE_MS })
  const changes = parts?.filter(({ added, removed, value }) => (added || removed) && value.trim() !== '')
  return { content, changes: changes?.map(({ value, added }) => ({ value: value.trim(), added })) }
}

interface TextPage {
  readonly kind: LegalKind
  readonly site: Marketplace
  readonly text: LegalText | undefined
  readonly versions: Awaited<ReturnType<typeof listVersionsOf>>
  readonly formState: FormState
  readonly preview: Preview | undefined
}

export const textView = (session: Session, { kind, site, text, versions, formState, preview }: TextPage): VNode => (
  <>
    <BackLink href={TEXTS_PATH}>Legal texts</BackLink>
    <PageHeading>{NAMES[kind]}</PageHeading>
    <p class="lead">
      {text?.isEmpty === false ? (
        <>
          On <a href={`/${kind}`}>/{kind}</a>. {BESIDES[kind]}
        </>
      ) : (
        BESIDES[kind]
      )}
    </p>
    {preview && previewSection(kind, preview, text)}
    <Form of={TextForm} action={`${TEXTS_PATH}/${kind}`} session={session} formState={formState}>
      <Fields of={TextForm} names={['content']} values={{ content: text?.content ?? firstText(kind, site) }} />
      <input type="hidden" name="version" value={String(text?.version ?? 0)} />
      <ButtonRow>
        <Button name="step" value="preview" {...(preview && { look: 'quiet' })}>
          Preview
        </Button>{' '}
        {preview && (
          <Button name="step" value="publish">
            {preview.content === '' ? 'Take the text off the page' : `Publish as version ${(text?.version ?? 0) + 1}`}
          </Button>
        )}
      </ButtonRow>
    </Form>
    {versions.length > 0 && (
      <Section title="Versions">
        <p>A version never changes and is never removed: customers can read what held when they booked.</p>
        <Table
          caption="The last versions, the newest first"
          columns={['Version', 'Since', 'By']}
          rows={versions.map((version) => [
            version.isEmpty ? (
              `Version ${version.version}: no text`
            ) : (
              <a href={versionPath(kind, version)}>Version {version.version}</a>
            ),
            <Time instant={version.at} />,
            version.by ?? 'Command line',
          ])}
        />
      </Section>
    )}
  </>
)

/** What the marketplace says of itself already. */
const firstText = (kind: LegalKind, { name, address, email, phone }: Marketplace): string =>
  kind === 'imprint'
    ? [name, address?.replaceAll('\n', '  \n'), email && `E-mail: ${email}`, phone && `Phone: ${phone}`]
        .filter(Boolean)
        .join('\n\n')
    : ''

const previewSection = (kind: LegalKind, { content, changes }: Preview, text: LegalText | undefined): VNode => (
  <Section title="Preview">
    <p class="notice wait" role="status">
      Nothing is published yet. Read it, then publish it below.
    </p>
    <div class="card text-page">{content === '' ? <p>No text.</p> : <Markdown text={content} below={3} />}</div>
    {text !== undefined && (
      <>
        <h3>What changes since version {text.version}</h3>
        {changes === undefined ? (
          <p>
            So much that it cannot be listed. <a href={versionPath(kind, text)}>Version {text.version}</a>
          </p>
        ) : changes.length === 0 ? (
          <p>Nothing.</p>
        ) : (
          <Table
            caption="Lines that differ"
            columns={['Change', 'Text']}
            rows={changes.map(({ value, added }) => [
              added ? <Badge tone="good">New</Badge> : <Badge tone="bad">Gone</Badge>,
              added ? <ins>{value}</ins> : <del>{value}</del>,
            ])}
          />
        )}
      </>
    )}
  </Section>
)
