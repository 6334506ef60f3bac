// Five hundred things that people may type into a field, each of which has a meaning for some program: SQL, JSON, patterns, our
// own words, short and long ones, and what belongs to other people.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'.split('')
const MARKS = '%_.*+?^$|\\/()[]{}<>"\'`~!@#&=,:;-–—…'.split('').flatMap((mark) => [mark, mark.repeat(3)])
const WORDS =
  `the and a an of to in for is was be at on it he she you we they not all any none each other same new old yes no
  reserved Chemotherapy erased deleted customer pro professional booking bookings quote quotes request review reviews job jobs
  payment refund refunded refunding deposit message messages name email phone street address city state zip id uuid null true
  false undefined NaN Infinity select insert update delete drop table where from join union all exists text jsonb json array
  pending confirmed cancelled completed no_show new responded archived draft sent viewed accepted declined expired superseded
  scheduled in_progress approved rejected succeeded failed requires_payment queued running open dismissed conflict
  outcome value result replay replayed refusal code detail object data type aggregate sequence createdAt confirmationCode
  booking.created booking.cancelled rfq.created quote.sent review.submitted availability.updated webhook.test hearth web api
  Lane Street Avenue Road Main Oak door gate dog note Estimate private secret surgery call back soon later always never plumber
  Austin TX 78701 America/Chicago USD flat hourly person agent tool system developer client operator manager crew office`
    .trim()
    .split(/\s+/)
const STATEMENTS = [
  "'; drop table bookings; --",
  "' or '1'='1",
  "') returning *; --",
  '$1',
  '$$; select 1; $$',
  '{}',
  '[]',
  '[{}]',
  '{"id":',
  '"id": "',
  '"bookingId": "00000000-0000-0000-0000-000000000000"',
  '{"$regex": ".*"}',
  String.raw`\"}`,
  String.raw`\u0061`,
  String.raw`\\`,
  '\\',
  '-- comment',
  '/* */',
  '%%',
  '%a%',
  '_%_',
  '.*',
  '.+?',
  '^.*$',
  '(a+)+$',
  '(?i)the',
  '(?=a)',
  '[a-z]',
  '[^',
  '(',
  'a|b',
  'a{1,999}',
  String.raw`\d+`,
  String.raw`\w`,
  String.raw`\y`,
  String.raw`\mthe\M`,
  String.raw`\1`,
  '***:.*',
  '***=a',
  '<script>alert(1)</script>',
  '<b>',
  '&amp;',
  '../../etc/passwd',
  '%00',
  '${name}',
  '{{name}}',
]
const UNICODE = [
  'é',
  'e\u0301',
  'ß',
  'İ',
  'ı',
  'ſ',
  '\u212A',
  '𝒜',
  '😀',
  '👩‍👩‍👧',
  '\u202Eabc',
  '\u200Ba',
  'a\u00A0b',
  '日本語',
  '\u05D0\u05D1',
  '\u0627\u0644',
  '\u0928\u092E',
  'Ω',
  '\uFEFFa',
  'ﬁ',
  'Z\u0351\u036B\u0343',
  'a\tb',
  'a\nb',
  'two  spaces',
]
const LONG = ['a', 'the ', '%', '(', '日', '{"a":', 'Chemotherapy '].map((part) =>
  part.repeat(5000).slice(0, 4900).trim(),
)

/** The values, filled up with `others`: what other people's rows contain. */
export function hostileValues(count: number, others: readonly string[]): string[] {
  const own = [...LETTERS, ...MARKS, ...WORDS, ...STATEMENTS, ...UNICODE, ...LONG]
  const spread = Math.max(1, Math.floor(others.length / count))
  const values = [...new Set([...own, ...others.filter((_, n) => n % spread === 0), ...others])]
  return values.filter((value) => value.trim() !== '').slice(0, count)
}
