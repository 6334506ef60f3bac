// Calendars that are made to cost as much as possible: each a text of about the wanted size.

/** The span in which their busy time is wanted. */
export const HOSTILE_WITHIN = { start: Date.parse('2026-11-23T00:00:00Z'), end: Date.parse('2027-12-28T00:00:00Z') }

const START = 'DTSTART:20261123T180000Z'
const stamp = (minutes: number) =>
  new Date(HOSTILE_WITHIN.start + minutes * 60_000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
const many = (count: number) => Array.from({ length: count }, (_, n) => n).join(',')

/** A calendar of `kilobytes` made of pieces, with lines around all of them. */
function filled(
  kilobytes: number,
  piece: (n: number) => string[],
  before: string[] = [],
  after: string[] = [],
): string {
  const pieces: string[] = []
  for (let bytes = 0, n = 0; bytes < kilobytes * 1024; n++) {
    const text = piece(n).join('\r\n')
    pieces.push(text)
    bytes += text.length + 2
  }
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...before, ...pieces, ...after, 'END:VCALENDAR', ''].join('\r\n')
}

const event = (uid: string | number, ...lines: string[]) => ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT']
const text = (piece: string, kilobytes: number) => piece.repeat(Math.ceil((kilobytes * 1024) / piece.length))
const zone = (id: string, ...rules: string[]) => [
  'BEGIN:VTIMEZONE',
  `TZID:${id}`,
  ...rules.flatMap((rule) => [
    'BEGIN:STANDARD',
    'DTSTART:19900101T000000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    rule,
    'END:STANDARD',
  ]),
  'END:VTIMEZONE',
]
const EXPENSIVE = `RRULE:FREQ=DAILY;BYHOUR=${many(24)};BYMINUTE=${many(60)};BYSECOND=${many(60)}`
const times = (from: number, count = 500) => Array.from({ length: count }, (_, n) => `${stamp(from + n)}Z`).join(',')

/** Whose cost grows with their size only: each is read to its end, however large it is. */
export const LINEAR: Record<string, (kilobytes: number) => string> = {
  'a zone’s name, with a line separator': (kb) =>
    filled(0, () => event(1, `DTSTART;TZID=${text('/US/', kb)}\u2028x:20261123T180000`, 'DURATION:PT1H')),
  'a zone’s name in many events': (kb) =>
    filled(kb, (n) => event(n, `DTSTART;TZID=${text('/US/', 0.9)}\u2028${n}:20261123T180000`, 'DURATION:PT1H')),
  'one parameter': (kb) => filled(0, () => event(1, `DTSTART;X="${text('^n', kb)}":20261123T180000Z`, 'DURATION:PT1H')),
  'many parameters': (kb) => filled(0, () => event(1, `DTSTART;${text('X=a;', kb)}X=a:20261123T180000Z`)),
  'additional times of the past with exceptions': (kb) =>
    filled(
      kb,
      (n) => [`RDATE:${times(-9e6 + n * 500)}`, `EXDATE:${times(-9e6 + n * 500)}`],
      ['BEGIN:VEVENT', 'UID:1', START, 'DURATION:PT1H'],
      ['END:VEVENT'],
    ),
  'additional times in a zone of many changes': (kb) =>
    filled(
      kb,
      (n) => [`RDATE;TZID=own:${times(-9e6 + n * 500).replaceAll('Z', '')}`],
      [...zone('own', 'RRULE:FREQ=WEEKLY'), 'BEGIN:VEVENT', 'UID:1', START, 'DURATION:PT1H'],
      ['END:VEVENT'],
    ),
  'instances of one series that are replaced': (kb) =>
    filled(kb, (n) => event('one', `RECURRENCE-ID:${stamp(n)}Z`, `DTSTART:${stamp(-9e6 + n)}Z`, 'DURATION:PT1M')),
  'instances that are replaced again and again': (kb) =>
    filled(kb, (n) => event('one', 'RECURRENCE-ID:20261123T180000Z', START, 'DURATION:PT1M', `SEQUENCE:${n}`)),
  'series of one UID with replaced instances': (kb) =>
    filled(kb, (n) => [
      ...event('one', `DTSTART:${stamp(-9e6 + n)}Z`, 'DURATION:PT1M'),
      ...event('one', `RECURRENCE-ID:${stamp(n)}Z`, `DTSTART:${stamp(-9e6 + n)}Z`, 'DURATION:PT1M'),
    ]),
  'a series that is moved from many instances on': (kb) =>
    filled(
      kb,
      (n) => event('one', `RECURRENCE-ID;RANGE=THISANDFUTURE:${stamp(-n)}Z`, START, 'DURATION:PT1M'),
      event('one', START, 'DURATION:PT1M', 'RRULE:FREQ=HOURLY;COUNT=9000'),
    ),
  'time zones that no event names': (kb) => filled(kb, (n) => zone(`own-${n}`, 'RRULE:FREQ=YEARLY')),
  'the rules of one time zone': (kb) =>
    filled(
      kb,
      () => zone('x', 'RRULE:FREQ=WEEKLY').slice(2, -1),
      ['BEGIN:VTIMEZONE', 'TZID:own'],
      ['END:VTIMEZONE', ...Array.from({ length: 500 }, (_, n) => event(n, 'DTSTART;TZID=own:20261123T180000')).flat()],
    ),
  'rules of one event': (kb) => filled(kb, () => ['RRULE:FREQ=DAILY;COUNT=2'], ['BEGIN:VEVENT', START], ['END:VEVENT']),
  'a line that is folded at each character': (kb) =>
    filled(kb, () => [' 1'], ['BEGIN:VEVENT', START, 'EXDATE:2026'], ['END:VEVENT']),
  'empty lines': (kb) => filled(kb, () => ['']),
  'events of the past': (kb) => filled(kb, (n) => event(n, `DTSTART:${stamp(-1e6 - n)}Z`, 'DURATION:PT1H')),
  'components inside of one another': (kb) => filled(kb, () => ['BEGIN:VEVENT']),
  'time zones inside of one another': (kb) => filled(kb, () => ['BEGIN:STANDARD'], ['BEGIN:VTIMEZONE']),
}

/** That cost more than their size: each ends at its limit or before. */
export const EXPENSIVE_FILES: Record<string, (kilobytes: number) => string> = {
  'rules for each second': (kb) => filled(kb, (n) => event(n, START, 'DURATION:PT1S', EXPENSIVE)),
  'rules that never match': (kb) =>
    filled(kb, (n) =>
      event(
        n,
        START,
        'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
        'RRULE:FREQ=YEARLY;BYYEARDAY=366;BYDAY=MO;BYMONTH=3',
      ),
    ),
  'events of eight thousand years': (kb) =>
    filled(kb, (n) => event(n, 'DTSTART:19000101T000000Z', 'DTEND:99991231T000000Z', 'RRULE:FREQ=DAILY')),
  'time zones with a change each day': (kb) =>
    filled(kb, (n) => [...zone(`own-${n}`, 'RRULE:FREQ=DAILY'), ...event(n, `DTSTART;TZID=own-${n}:20261123T180000`)]),
  'time zones with rules that never match': (kb) =>
    filled(kb, (n) => [
      ...zone(`own-${n}`, ...Array.from({ length: 50 }, () => 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')),
      ...event(n, `DTSTART;TZID=own-${n}:20261123T180000`),
    ]),
}
