// The last release runs on this build's schema: migrations add before they remove, and functions stay callable.
import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import manifest from '../../../package.json'
import { schemaFiles } from '../../../src/platform/postgres/schema-files.ts'
import { ROOT } from '../../support/imports.ts'
import { gitOfRelease, lastRelease } from '../../support/release.ts'
import { type ReleasedSchema, readSchema } from '../../support/released-schema.ts'
import { faultsOfFunctionFile, faultsOfFunctions, faultsOfMigration } from '../../support/upgrade-rules.ts'

const release = lastRelease()
const lines = (text: string) => text.split('\n').filter((line) => line !== '')

describe('since the last release', () => {
  let released: ReleasedSchema

  beforeAll(async () => {
    released = await readSchema(
      release.version,
      await gitOfRelease(release, ['show', `${release.commit}:sql/schema.sql`]),
    )
    expect(released.tables.size).toBeGreaterThan(50)
    expect(released.functions.size).toBeGreaterThan(80)
    expect(released.types.size).toBeGreaterThan(5)
  })

  test('the version of this build is newer, and the changelog has the release', () => {
    expect(Bun.semver.order(manifest.version, release.version)).toBe(1)
    expect(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')).toMatch(new RegExp(`^## \\[${release.version}\\] - `, 'm'))
  })

  test('no released migration was changed, or removed without a baseline', async () => {
    const changed = await gitOfRelease(release, [
      'diff',
      '--name-only',
      '--diff-filter=a',
      '--no-renames',
      release.commit,
      '--',
      'sql/migrations',
    ])
    const replaced = new Set(schemaFiles().migrations.flatMap(({ replaces }) => replaces.map(({ name }) => name)))
    expect(lines(changed).filter((path) => !replaced.has(path.slice('sql/'.length)))).toEqual([])
  })

  test('no migration breaks the release', async () => {
    const listed = await gitOfRelease(release, ['ls-tree', '--name-only', release.commit, 'sql/migrations/'])
    const old = new Set(lines(listed))
    expect(old).toContain('sql/migrations/0070_record_of_the_first_release.sql')
    // A baseline makes new databases only: baseline.test.ts.
    const added = schemaFiles().migrations.filter(
      ({ name, replaces }) => !old.has(`sql/${name}`) && replaces.length === 0,
    )
    const faults = await Promise.all(
      added.map(async ({ name, text }) => (await faultsOfMigration(text, released)).map((fault) => `${name} ${fault}`)),
    )
    expect(faults.flat()).toEqual([])
  })

  test('every function of the release can be called as before', async () => {
    const ours = await readSchema(manifest.version, readFileSync(join(ROOT, 'sql/schema.sql'), 'utf8'))
    expect(faultsOfFunctions(ours, released)).toEqual([])
    const faults = await Promise.all(
      schemaFiles().functions.map(async ({ name, text }) =>
        (await faultsOfFunctionFile(text, released)).map((fault) => `${name} ${fault}`),
      ),
    )
    expect(faults.flat()).toEqual([])
  })

  test('a clone without the commit of the release is refused with one line', async () => {
    const missing = { version: '9.9.9', commit: '0'.repeat(40) }
    expect(await gitOfRelease(missing, ['log']).catch(String)).toBe(
      `Error: This clone lacks the commit of release 9.9.9 (${'0'.repeat(40)}). Run \`git fetch --unshallow\`.`,
    )
  })
})

/** What the rules are tried on. */
const DUMP = `
  create table public.jobs (id uuid not null, title text, notes text, pro_id uuid);
  create table public.old_jobs (id uuid);
  create type public.job_place as (city text, state text);
  alter table only public.jobs add constraint jobs_pkey primary key (id);
  alter table only public.jobs add constraint jobs_title_check check (title <> '');
  create unique index jobs_title_key on public.jobs using btree (title);
  create index jobs_pro on public.jobs using btree (pro_id);
  create function public.book(job uuid, at timestamp with time zone default now()) returns boolean language sql return true;
  create function public.old_book(job uuid) returns boolean language sql return true;
  comment on column public.jobs.notes is 'Unused since 1.0.0: a job has messages.';
  comment on table public.old_jobs is 'Unused since 1.0.0.';
  comment on function public.old_book(uuid) is 'Unused since 1.0.0: book.';`
const schema = (version: string, dump: string) => readSchema(version, dump)

describe('a migration', () => {
  test.each([
    ['create table visits (id uuid primary key, job_id uuid references jobs on delete cascade)'],
    ['create table visits (id uuid); create unique index on visits (id); alter table visits alter id set not null'],
    ['alter table jobs add column place text, add column size integer not null default 3'],
    ["alter table jobs add column tags text[] not null default '{}', add column at timestamptz default now()"],
    ['alter table jobs alter title drop not null, alter title set default 1'],
    ['alter table jobs drop constraint jobs_title_check'],
    ['alter table jobs drop column notes'],
    ['drop table old_jobs'],
    ['-- Why.\ncreate index concurrently if not exists jobs_place on jobs (place);\n'],
    ['drop index concurrently if exists jobs_pro'],
    ["insert into jobs (id) select id from old_jobs; update jobs set title = 'x' where title is null"],
    ["comment on column jobs.title is 'Unused since 1.1.0.'"],
    [
      '-- 1.0.0 runs with this: it writes both columns in this form.\nalter table jobs add check (id is not null) not valid',
    ],
    ['alter sequence jobs_id_seq set logged'],
    ['create type visit_place as (zip text); alter type visit_place add attribute city text'],
  ])('may be: %s', async (text) => {
    expect(await faultsOfMigration(text, await schema('1.0.0', DUMP))).toEqual([])
  })

  test.each([
    ['drop table jobs', 'drops jobs, which 1.0.0 uses'],
    ['alter type job_place add attribute zip text', 'changes the type job_place, whose rows 1.0.0 writes whole'],
    ['alter type job_place drop attribute city', 'changes the type job_place'],
    ['alter table jobs drop column title', 'drops jobs.title, which 1.0.0 uses'],
    ['alter table jobs rename column title to name', 'renames jobs or a part of it to name'],
    ['alter table jobs rename to work', 'renames jobs or a part of it to work'],
    ['alter function book rename to reserve', 'renames something or a part of it to reserve'],
    ['drop function book(uuid, timestamptz)', 'drops book(uuid, timestamptz), which 1.0.0 uses'],
    ['drop function if exists book', 'drops book(uuid, timestamptz), which 1.0.0 uses'],
    ['drop trigger t on jobs', 'drops t, which 1.0.0 uses'],
    ['alter table jobs add column place text not null', 'jobs.place is not null and has no default'],
    ['alter table jobs add column code text unique', 'jobs.code is unique'],
    ['alter table jobs add column id2 uuid default gen_random_uuid()', 'reads or rewrites all rows of jobs'],
    ['alter table jobs alter title type varchar(9)', 'changes jobs.title (AT_AlterColumnType)'],
    ['alter table jobs alter title set not null', 'changes jobs.title (AT_SetNotNull)'],
    ['alter table jobs alter title drop default', 'changes jobs.title (AT_ColumnDefault)'],
    ["alter table jobs add constraint c check (title <> '-') not valid", 'adds a constraint to jobs'],
    ['alter table jobs add foreign key (pro_id) references old_jobs', 'adds a constraint to jobs'],
    ['alter table jobs drop constraint jobs_pkey', 'drops jobs_pkey, which `on conflict` may need'],
    ['alter table jobs enable row level security', 'changes jobs (AT_EnableRowSecurity)'],
    ['create unique index concurrently if not exists u on jobs (notes)', 'u makes jobs unique'],
    ['create index i on jobs (notes)', 'i is built while writers of jobs wait'],
    ['drop index jobs_pro', 'drops jobs_pro while everything waits'],
    ['drop index concurrently if exists jobs_title_key', 'drops jobs_title_key, which `on conflict` may need'],
    ['create index concurrently i on jobs (notes)', 'need a file of their own'],
    ['create index concurrently if not exists i on jobs (notes); select 1', 'need a file of their own'],
    ['create trigger t before insert on jobs execute function f()', 'adds trigger t to jobs'],
    ['create table visits (job_id uuid references jobs)', 'refers to jobs without'],
    ['alter table jobs add column old uuid references old_jobs', 'refers to old_jobs without'],
    ['truncate jobs', 'TruncateStmt is not known to be safe'],
    ['delete from jobs', 'deletes all rows of a table'],
    ["update jobs set title = 'x'", 'updates all rows of a table in one transaction'],
    ['do $$ begin delete from jobs; end $$', 'DoStmt is not known to be safe'],
    ['lock table jobs', 'LockStmt is not known to be safe'],
    ['-- 0.9.0 runs with this: it did.\ndrop table jobs', 'drops jobs, which 1.0.0 uses'],
  ])('must not be: %s', async (text, fault) => {
    expect((await faultsOfMigration(text, await schema('1.0.0', DUMP))).join('\n')).toContain(fault)
  })
})

describe('a function of the release', () => {
  const faultsWith = async (change: (dump: string) => string) =>
    faultsOfFunctions(await schema('1.1.0', change(DUMP)), await schema('1.0.0', DUMP))

  test('may go when the release no longer calls it', async () => {
    expect(await faultsWith((dump) => dump.replace(/^.*(function public\.old_book).*$/gm, ''))).toEqual([])
  })

  test.each([
    ['book(job uuid', 'book(job text', 'book(uuid, timestamptz) is missing, which 1.0.0 uses'],
    [
      'returns boolean',
      'returns text',
      'book(uuid, timestamptz) has changed from (job uuid, at timestamptz) returns bool to',
    ],
    [
      'create function public.old_book',
      'create function public.book(job integer) returns boolean language sql return true; create function public.old_book',
      'book(int4) makes calls with as many arguments ambiguous',
    ],
  ])('with %s as %s is refused', async (before, after, fault) => {
    expect((await faultsWith((dump) => dump.replace(before, after))).join('\n')).toContain(fault)
  })
})
