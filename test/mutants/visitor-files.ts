// Changes that break what holds for the files of visitors, each with the test that notices.
import type { Mutant } from './mutant.ts'

export const VISITOR_FILES: readonly Mutant[] = [
  {
    guarantee: 'Visitors of one network send 40 photos an hour.',
    file: 'src/web/public/photo-uploads.ts',
    from: '    await requestLimitsOf(ctx).admitVisitorFile(request)\n',
    to: '',
    killedBy: 'test/web/public/hostile-request-photos.test.ts',
    tests: 'sends 40 photos',
  },
  {
    guarantee: 'The quota of one account does not hold for all visitors together.',
    file: 'src/features/files/files/verbs/files.ts',
    from: '  if (!isVisitor) await',
    to: '  await',
    killedBy: 'test/web/public/hostile-request-photos.test.ts',
    tests: 'the quota of an account',
  },
  {
    guarantee: 'A visitor’s form takes no file of another account.',
    file: 'src/features/files/files/queries.sql',
    from: 'where f.id = any(:ids::text::uuid[]) and f.account_id = :account_id and',
    to: 'where f.id = any(:ids::text::uuid[]) and (f.account_id = :account_id or true) and',
    killedBy: 'test/web/public/hostile-request-photos.test.ts',
    tests: 'of another account is not taken',
  },
  {
    guarantee: 'Nothing is stored beside a field that is wrong.',
    file: 'src/web/public/photo-uploads.ts',
    from: '      if (!read.ok) throw refused(',
    to: '      if (false as boolean) throw refused(',
    killedBy: 'test/web/public/request-photos.test.ts',
    tests: 'nothing is stored beside',
  },
  {
    guarantee: 'A photo that cannot be read is said beside its field, before the request is sent.',
    file: 'src/features/files/files/verbs/chosen.ts',
    from: "      return !mayWait || rows.every(({ file }) => file.state !== 'received')\n",
    to: '      return true\n',
    killedBy: 'test/web/public/request-photos.test.ts',
    tests: 'a drawing in SVG',
  },
  {
    guarantee: 'A form with photos that is sent twice makes one request.',
    file: 'src/features/files/files/verbs/files.ts',
    from: 'isOfForm && idempotency ?',
    to: 'isOfForm && (false as boolean) && idempotency ?',
    killedBy: 'test/web/public/request-photos.test.ts',
    tests: 'sent many times',
  },
  {
    guarantee: 'Visitors who send slowly leave room for the files of pros and programs.',
    file: 'src/http/receive-body.ts',
    from: ' || this.#visitorFilesBytes + ofVisitors > MAX_VISITOR_FILES_BYTES',
    to: '',
    killedBy: 'test/web/public/hostile-request-photos.test.ts',
    tests: 'visitors who send slowly',
  },
  {
    guarantee: 'A picture of a form that is refused replaces nothing.',
    file: 'src/web/ui/uploads.ts',
    from: 'await withoutRefused(ctx, request, fields, received) : received',
    to: 'received : received',
    killedBy: 'test/web/console/pictures.test.ts',
    tests: 'replaces nothing',
  },
]
