// The views of verification: the queue of pros, and one pro with what was checked.
import type { AuditEntry } from '../../../features/upkeep/audit/verbs.ts'
import type {
  CheckedPro,
  Marks,
  VerificationQuery,
  VerificationRequest,
} from '../../../features/business/verification/schemas.ts'
import type { Session } from '../../../http/session.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { count, dateTime, day, plural } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { type FormState, EMPTY_FORM, checkbox, csrfField, disclosure, problemBox, textArea } from '../../ui/forms.ts'
import { backLink, badge, detailList, emptyState, pageHeading, pager, section, table, tabs } from '../../ui/parts.ts'

export const VERIFICATION_PATH = '/console/verification'

const MARKS = [
  ['verified', 'Verified', 'Search shows the pro as verified.'],
  ['backgroundCheck', 'Background check', 'A background check was passed.'],
  ['insurance', 'Insurance', 'A valid certificate of liability insurance was seen.'],
  ['credentials', 'Credentials', 'Licenses and certificates were checked with who issues them.'],
] as const satisfies readonly (readonly [keyof Marks, string, string])[]

export const proListView = (pros: readonly CheckedPro[], meta: PageMeta, query: VerificationQuery): Html => {
  const { q = '', show = 'unverified' } = query
  return html`
    ${pageHeading('Verification')}
    ${tabs(
      'Pros by verification',
      { path: VERIFICATION_PATH, parameter: 'show', chosen: show === 'unverified' ? '' : show },
      [
        { value: '', label: 'Not verified' },
        { value: 'asked', label: 'Asked' },
        { value: 'verified', label: 'Verified' },
        { value: 'all', label: 'All' },
      ],
    )}
    <form method="get" action="${VERIFICATION_PATH}" class="line" role="search">
      <input type="hidden" name="show" value="${show}" />
      <p class="field">
        <label for="q">Business, slug, id or e-mail address</label>
        <input id="q" name="q" type="search" value="${q}" maxlength="200" autocomplete="off" spellcheck="false" />
      </p>
      <button>Search</button>
    </form>
    ${
      pros.length === 0
        ? emptyState(
            'No pros found',
            q === ''
              ? show === 'asked'
                ? 'No pro waits for an answer.'
                : 'All pros are verified.'
              : html`<a href="${VERIFICATION_PATH}?show=all">Show all pros</a>`,
          )
        : table(
            q === '' ? plural(meta.total, 'pro') : `${plural(meta.total, 'pro')} found`,
            ['Pro', 'Place', 'Since', 'Asked', 'Checked', 'Reviews'],
            pros.map((pro) => [
              html`<div>
                <a href="${VERIFICATION_PATH}/${pro.id}">${pro.businessName}</a><br /><span class="hint"
                  >${pro.email}</span
                >
              </div>`,
              `${pro.city}, ${pro.state}`,
              day(pro.createdAt),
              pro.request ? html`<div>${badge(day(pro.request.askedAt), 'wait')}</div>` : '–',
              html`<div>${marksOf(pro)}</div>`,
              count(pro.reviewCount),
            ]),
            { numbers: 5 },
          )
    }
    ${pager(VERIFICATION_PATH, meta, { q, show }, ['← Previous', 'Next →'])}
  `
}

/** Badges of what was checked. */
export const marksOf = (marks: Partial<Record<keyof Marks, unknown>>): Html[] | string => {
  const set = MARKS.filter(([name]) => marks[name] === true)
  return set.length === 0 ? 'Nothing yet' : set.map(([, label]) => html`${badge(label, 'good')} `)
}

interface ProPage {
  pro: CheckedPro
  actions: readonly AuditEntry[]
  formState: FormState
  refusalState: FormState
}

export const proView = (session: Session, { pro, actions, formState, refusalState }: ProPage): Html => html`
  ${backLink('Verification', VERIFICATION_PATH)}
  ${pageHeading(pro.businessName, html`<a href="/pros/${pro.slug}">Public profile</a>`)}
  ${detailList([
    ['E-mail address', pro.email],
    ['Phone', pro.phone],
    ['Website', pro.website && html`<a href="${pro.website}" rel="noreferrer">${pro.website}</a>`],
    ['Place', `${pro.city}, ${pro.state}`],
    ['Since', day(pro.createdAt)],
    ['Reviews', count(pro.reviewCount)],
  ])}
  ${pro.request && askedSection(session, pro.id, pro.request, refusalState)}
  ${section(
    'What was checked',
    html`<form method="post" action="${VERIFICATION_PATH}/${pro.id}">
      ${csrfField(session)} ${problemBox(formState)}
      ${MARKS.map(([name, label, hint]) => checkbox({ name, label, hint, formState, ...(pro[name] ? { value: 'on' } : {}) }))}
      ${textArea({ name: 'reason', label: 'Reason', hint: 'The pro can read it.', maxLength: 5000, formState })}
      <button>Save</button>
    </form>`,
  )}
  ${section('History', actions.length === 0 ? html`<p>No changes recorded.</p>` : history(actions))}
`

const askedSection = (session: Session, id: string, request: VerificationRequest, formState: FormState): Html =>
  section(
    `Asked on ${day(request.askedAt)}`,
    html`
      ${detailList([
        ['License', request.licenseNumber && `${request.licenseNumber} (${request.licenseState ?? ''})`],
        ['Note', request.note && html`<span class="text">${request.note}</span>`],
      ])}
      <p>Tick “Verified” below to grant it.</p>
      ${disclosure(
        'Refuse',
        html`<form method="post" action="${VERIFICATION_PATH}/${id}/refuse">
          ${csrfField(session)} ${problemBox(formState)}
          ${textArea({ id: 'refusal', name: 'reason', label: 'Reason for the refusal', hint: 'The pro reads it and can ask again.', maxLength: 5000, formState })}
          <button class="small danger">Refuse the request</button>
        </form>`,
        { isOpen: formState !== EMPTY_FORM },
      )}
    `,
  )

const history = (actions: readonly AuditEntry[]): Html =>
  table(
    `Last ${plural(actions.length, 'change')}`,
    ['When', 'Checked since then', 'Reason', 'By'],
    actions.map(({ at, details, reason, by }) => [
      dateTime(at),
      html`<div>
        ${details['refused'] === true && badge('Request refused', 'bad')}
        ${marksOf((details['after'] ?? {}) as Partial<Marks>)}
      </div>`,
      reason,
      by ?? 'Command line',
    ]),
  )
