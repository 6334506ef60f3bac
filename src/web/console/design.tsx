/** @jsxImportSource preact */
// /console/design: every component of the pages in its states, for those who build pages. In development only.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { ComponentChildren, VNode } from 'preact'

import type { Deps } from '../../deps.ts'
import { guard } from '../../http/guard.ts'
import { Decimal } from '../../platform/schema/numbers.ts'
import { Name } from '../../platform/schema/types.ts'
import { assetUrl } from '../ui/assets.ts'
import { Badge } from '../ui/badge.tsx'
import { Progress } from '../ui/progress.tsx'
import { ICON_NAMES, Icon } from '../ui/icons.tsx'
import { Button, ButtonRow, Copyable, Disclosure, LinkButton } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { Checkbox, Checkboxes, SelectField, TextArea, TextField } from '../ui/fields.tsx'
import { FacePreview } from '../ui/face-preview.tsx'
import { FlashBox } from '../ui/flash.tsx'
import { EMPTY_FORM, Form, type FormState } from '../ui/form.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { GuideBar } from '../ui/guide-bar.tsx'
import { BackLink, PageHeading, Section } from '../ui/headings.tsx'
import { EmailLink, MapLink, PhoneLink } from '../ui/links.tsx'
import { EmptyState, Pager, Steps, Tabs, WholeList } from '../ui/lists.tsx'
import { Chart, Metric, Metrics, Trend } from '../ui/metrics.tsx'
import { Avatar, Gallery, Photos, Picture, type ShownPicture } from '../ui/pictures.tsx'
import { Distribution, Rating, Stars } from '../ui/ratings.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { Summary, Sums } from '../ui/summary.tsx'
import { DetailList, Table } from '../ui/table.tsx'
import { ExactTime, Time } from '../ui/time.tsx'
import { UploadField } from '../ui/upload-field.tsx'

const PATH = '/console/design'
const INSTANT = '2026-06-02T19:15:05.000Z'
const LONG = 'Averylongwordwithoutanyplacetobreakbecausepeopletypesuchthingsintofieldsfromtimetotime'

/** The gallery of components. Production does not serve it: it is for developers. */
export function designPages(deps: Deps) {
  const pages = new Elysia({ name: 'design-pages' }).use(guard(deps))
  if (deps.config.environment === 'production') return pages
  return pages.get(
    PATH,
    function getDesign({ ctx, authenticated: by }) {
      const scripts = ['uplot.js', 'chart.js', 'console.js'] as const
      const styles = ['uplot.css', 'booking.css', 'operator.css'] as const
      return renderConsolePage(ctx, by, { title: 'Design', content: gallery, scripts, styles })
    },
    { session: ['operator', 'developer', 'pro'] },
  )
}

const REFUSED: FormState = {
  values: new URLSearchParams({
    'refused-name': LONG,
    'refused-day': 'tue',
    'refused-notes': 'Two lines\nof notes',
    'refused-photos': '019a9f0c-5d3c-7e1f-a1b2-c3d4e5f60718',
  }),
  errors: {
    'refused-name': 'is longer than 40 characters',
    'refused-days': 'needs one day at least',
    'refused-photos': 'is larger than 15 MB, choose a smaller one',
  },
  problem: 'Nothing was saved.',
}

const formFields = (prefix: string): VNode => (
  <>
    <TextField name={`${prefix}-name`} label="Name" hint="As customers see it." value="Falcon" maxLength={200} />
    <TextField name={`${prefix}-price`} label="Price" type="number" isOptional min={0} step={0.01} />
    <TextArea name={`${prefix}-notes`} label="Notes" isOptional />
    <SelectField
      name={`${prefix}-day`}
      label="Day"
      choices={[
        { value: 'mon', label: 'Monday' },
        { value: 'tue', label: 'Tuesday' },
      ]}
    />
    <Checkbox name={`${prefix}-online`} label="Customers can book it online" value="on" />
    <Checkboxes
      name={`${prefix}-days`}
      label="Days"
      choices={[
        { value: 'sat', label: 'Saturday' },
        { value: 'sun', label: 'Sunday' },
      ]}
      checked={['sun']}
    />
    <UploadField name={`${prefix}-photos`} label="Photos" purpose="job" most={10} hint="Of the work." />
    <Button>Save</Button>
  </>
)

const DeclaredForm = defineForm({
  'declared-name': { schema: Name(), label: 'Name', hint: 'As customers see it.' },
  'declared-price': { schema: Type.Optional(Decimal({ minimum: 0, maximum: 1000 })), label: 'Price' },
})

const ROWS: readonly ComponentChildren[][] = [
  ['Drain cleaning', <Badge tone="good">Confirmed</Badge>, '$120'],
  [LONG, <Badge tone="wait">Pending</Badge>, '$1,240.50'],
]

const [ICON, PREVIEW] = [assetUrl('icon-180.png'), assetUrl('og.png')]
const LOGO: ShownPicture = {
  url: ICON,
  placeholder: null,
  sizes: [{ size: 'small', width: 180, height: 180, avif: ICON, webp: ICON }],
}
const PICTURE: ShownPicture = {
  url: PREVIEW,
  placeholder: ICON,
  sizes: [{ size: 'large', width: 1200, height: 630, avif: PREVIEW, webp: PREVIEW }],
}

const gallery: VNode = (
  <>
    <BackLink href="/console">Console</BackLink>
    <Breadcrumbs trail={[['Console', '/console'], ['Design']]} />
    <PageHeading beside={<Badge tone="good">Verified</Badge>}>Design</PageHeading>
    <p class="lead">Every component of the pages, in its states. Pages are made of these and of plain text.</p>
    <Section title="Icons">
      <p>
        {ICON_NAMES.map((name) => (
          <>
            <Icon name={name} /> {name}{' '}
          </>
        ))}
      </p>
    </Section>
    <Section title="Progress">
      <Progress steps={['Service', 'Time', 'Your details']} at={1} />
      <GuideBar path="/console/catalog" />
      <FacePreview site={{ name: LONG, tagline: null, logo: null, icon: null, accent: '#1b5a9e' }} />
    </Section>
    <Section title="Badges">
      <p>
        <Badge>Draft</Badge> <Badge tone="good">Confirmed</Badge> <Badge tone="wait">Pending</Badge>{' '}
        <Badge tone="bad">Failed</Badge>
      </p>
    </Section>
    <Section title="Buttons">
      <ButtonRow>
        <Button type="button">Main action</Button>
        <Button type="button" look="quiet">
          One of several
        </Button>
        <Button type="button" look="danger">
          Cannot be undone
        </Button>
        <Button type="button" isSmall>
          Small
        </Button>
        <LinkButton href="#links">A link</LinkButton>
        <LinkButton href="#links" look="quiet" isSmall>
          A small quiet link
        </LinkButton>
        <Disclosure label="More">What was folded.</Disclosure>
      </ButtonRow>
    </Section>
    <Section title="Notices">
      <FlashBox tone="good" text="The booking is confirmed." />
      <FlashBox tone="bad" text="The time is no longer open." />
    </Section>
    <Section title="Form">
      <Form action={PATH} formState={EMPTY_FORM} isNarrow hasFiles>
        {formFields('new')}
      </Form>
    </Section>
    <Section title="Declared form">
      <Form of={DeclaredForm} action={PATH} isNarrow>
        <Fields of={DeclaredForm} values={{ 'declared-price': 12.5 }} />
        <Button>Save</Button>
      </Form>
    </Section>
    <Section title="Summary">
      <Summary when="Tuesday, June 2, 2:15 PM" label="New time">
        <Sums
          sums={[
            { label: 'Price', value: '$250' },
            { label: 'To pay now', value: '$50', isTotal: true },
          ]}
        />
      </Summary>
      <Summary when={LONG}>
        <p class="quiet">Without sums.</p>
      </Summary>
    </Section>
    <Section title="Steps">
      <Steps
        steps={[
          <>
            <h3>Search</h3>
            <p>Say what you need and where.</p>
          </>,
          <>
            <div>
              <strong>Describe your business</strong>
              <p class="hint">{LONG}</p>
            </div>
            <Badge tone="good">Done</Badge>
          </>,
        ]}
      />
    </Section>
    <Section title="Refused form">
      <Form action={PATH} formState={REFUSED} isNarrow hasFiles>
        {formFields('refused')}
      </Form>
    </Section>
    <Section title="Table">
      <Table caption="Bookings" columns={['Service', 'Status', 'Price']} rows={ROWS} numbers={2} />
      <Table caption="Bookings, dense" columns={['Service', 'Status', 'Price']} rows={ROWS} numbers={2} isDense />
      <Pager path={PATH} meta={{ total: 95, limit: 20, offset: 20, hasMore: true }} />
    </Section>
    <Section title="Details">
      <DetailList
        pairs={[
          ['Service', 'Drain cleaning'],
          ['Left out', undefined],
          ['Long', LONG],
        ]}
      />
    </Section>
    <Section title="Tabs and an empty list">
      <Tabs
        label="Bookings by status"
        path={PATH}
        parameter="status"
        chosen=""
        choices={[
          { value: '', label: 'All' },
          { value: 'pending', label: 'Pending' },
        ]}
      />
      <EmptyState title="No bookings yet">They appear here as soon as a customer books.</EmptyState>
      <WholeList heading="Bookings" rows={[<li>Drain cleaning</li>]} />
    </Section>
    <Section title="Numbers">
      <Metrics>
        <Metric label="bookings this week">12</Metric>
        <Trend label="new bookings" href={PATH} values={[2, 0, 3, 1, 4, 2]} />
      </Metrics>
      <Chart
        label="Bookings by day"
        days={['2026-06-01', '2026-06-02', '2026-06-03']}
        series={[
          { label: 'Completed', values: [3, 5, 2], tone: 'good' },
          { label: 'Cancelled', values: [1, 0, 1], tone: 'bad' },
        ]}
      />
    </Section>
    <Section title="Ratings">
      <p>
        <Rating average={4.7} reviews={128} /> · <Rating average={null} reviews={0} /> · <Stars given={4} />
      </p>
      <Distribution counts={{ 5: 80, 4: 30, 3: 10, 2: 5, 1: 3 }} />
    </Section>
    <Section title="Pictures">
      <p>
        <Avatar name="Falcon Plumbing" logo={LOGO} /> <Avatar name="Falcon Plumbing" logo={null} />{' '}
        <Avatar name="Lakeside Gardens" logo={null} /> <Avatar name="3 Brothers' Roofs" logo={null} />{' '}
        <Avatar name="Summit Electric" logo={null} isLarge /> <Avatar name="Éclair" logo={null} isLarge />
      </p>
      <Picture picture={PICTURE} alt="A link preview" sizes="(max-width: 46rem) 100vw, 46rem" />
      <Gallery
        owner="Falcon Plumbing"
        pictures={[
          { ...PICTURE, caption: 'A kitchen, before and after' },
          { ...PICTURE, caption: null },
          { ...LOGO, caption: LONG },
        ]}
      />
      <Photos
        owner="Ada Homeowner"
        photos={[
          { url: PREVIEW, thumbnail: PREVIEW, state: 'ready' },
          { url: PREVIEW, thumbnail: null, state: 'ready' },
          { url: PREVIEW, thumbnail: PREVIEW, state: 'received' },
          { url: PREVIEW, thumbnail: PREVIEW, state: 'refused' },
        ]}
      />
    </Section>
    <section id="links">
      <h2>Links and times</h2>
      <p>
        <EmailLink address="name@demo.example" /> · <PhoneLink phone="512-555-0142" /> ·{' '}
        <MapLink address="1 Main Street" />
      </p>
      <p>
        <Time instant={INSTANT} /> · <ExactTime instant={INSTANT} />
      </p>
      <Copyable id="command" label="A command" text="curl -s http://localhost:3000/api/v1/pros" />
    </section>
  </>
)
