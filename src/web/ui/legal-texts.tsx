/** @jsxImportSource preact */
// The operator's own texts on their pages: the one in force, the list of versions, and the one of a booking.
import type { VNode } from 'preact'

import {
  type LegalKind,
  type LegalText,
  type LegalVersion,
  inForceAt,
} from '../../features/upkeep/legal-texts/schemas.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { longDay } from '../../platform/text/format.ts'
import { Markdown } from '../../platform/text/markdown.tsx'
import { SiteContext } from './site.tsx'

const OfText = ({ kind, children }: { kind: LegalKind; children: (text: LegalText) => VNode | false }): VNode => (
  <SiteContext.Consumer>
    {({ legal }: Marketplace) => {
      const text = legal[kind]
      return text !== undefined && children(text)
    }}
  </SiteContext.Consumer>
)

/** The text in force, and since when it is. */
export const TextInForce = ({ kind }: { kind: LegalKind }): VNode => (
  <OfText kind={kind}>
    {(text) => (
      <>
        <p class="quiet">
          Version {text.version}, in force since <Day instant={text.at} />
        </p>
        <Markdown text={text.content} below={2} />
      </>
    )}
  </OfText>
)

/** Links to the versions before the one in force. */
export const FormerVersions = ({ kind }: { kind: LegalKind }): VNode => (
  <OfText kind={kind}>
    {(text) => {
      const versions = [text, ...text.former]
      const former = versions.filter((version) => !version.isEmpty && version !== text)
      return (
        former.length > 0 && (
          <>
            <h2>Former versions</h2>
            <ul>
              {former.map((version) => (
                <li>
                  <a href={versionPath(kind, version)}>Version {version.version}</a>,{' '}
                  <InForce {...{ version, versions }} />
                </li>
              ))}
            </ul>
          </>
        )
      )
    }}
  </OfText>
)

/** Where a version stays readable. */
export const versionPath = (kind: LegalKind, { version }: Pick<LegalVersion, 'version'>): string =>
  `/${kind}/${version}`

const Day = ({ instant }: { instant: string }): VNode => <time datetime={instant}>{longDay(instant)}</time>

/** From when until when a version was in force. */
export const InForce = ({ version, versions }: { version: LegalVersion; versions: readonly LegalVersion[] }): VNode => {
  const next = versions.find((one) => one.version === version.version + 1)
  return (
    <>
      in force {next ? 'from' : 'since'} <Day instant={version.at} />
      {next && (
        <>
          {' '}
          to <Day instant={next.at} />
        </>
      )}
    </>
  )
}

/** The terms that were in force when a booking was made. Nothing where there were no terms but the booking terms. */
export const TermsOfBooking = ({ bookedAt }: { bookedAt: string }): VNode => (
  <SiteContext.Consumer>
    {({ legal }: Marketplace) => {
      const terms = inForceAt(legal, 'terms', bookedAt)
      return (
        terms !== undefined && (
          <>
            It was booked under <a href={versionPath('terms', terms)}>version {terms.version} of the terms</a>.{' '}
          </>
        )
      )
    }}
  </SiteContext.Consumer>
)
