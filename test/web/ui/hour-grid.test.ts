// Where entries of a day stand on the grid of hours of a pro's week.
import { expect, test } from 'bun:test'

import { type Timed, hourGridSheet, hoursAround, placeEntries, rowsOf } from '../../../src/web/ui/hour-grid.ts'

const at = (from: number, to: number, item: string): Timed<string> => ({ from: from * 60, to: to * 60, item })
const DAY = { first: 8, count: 10 }
const placed = (...entries: Timed<string>[]) => placeEntries(entries, DAY).map(({ place, items }) => [place, ...items])

test('entries stand at their quarters of an hour, in order of their start', () => {
  expect(placed(at(13, 14.5, 'late'), at(8, 9.25, 'early'))).toEqual([
    ['from-0 to-5', 'early'],
    ['from-20 to-26', 'late'],
  ])
})

test('two at once stand side by side, more below each other, and those before and after have the whole width', () => {
  expect(placed(at(8, 9, 'a'), at(9, 12, 'b'), at(10, 11, 'c'), at(11, 13, 'd'), at(13, 14, 'e'))).toEqual([
    ['from-0 to-4', 'a'],
    ['from-4 to-16 lane-0', 'b'],
    ['from-8 to-12 lane-1', 'c'],
    ['from-12 to-20 lane-1', 'd'],
    ['from-20 to-24', 'e'],
  ])
  expect(placed(at(9, 11, 'a'), at(9, 10, 'b'), at(9.5, 12, 'c'))).toEqual([['from-4 to-16', 'a', 'b', 'c']])
})

test('an entry beyond the shown hours, of no length or over a repeated hour still has a row', () => {
  expect(rowsOf({ from: 0, to: 1440 }, DAY)).toBe('from-0 to-40')
  expect(rowsOf({ from: 600, to: 600 }, DAY)).toBe('from-8 to-9')
  expect(rowsOf({ from: 105, to: 75 }, { first: 1, count: 3 })).toBe('from-3 to-4')
  expect(rowsOf({ from: 300, to: 360 }, DAY)).toBe('from-0 to-1')
  expect(rowsOf({ from: 1200, to: 1260 }, DAY)).toBe('from-39 to-40')
})

test('whole hours around all times are shown, and a working day where there are none', () => {
  expect(hoursAround([at(8.5, 17.25, ''), at(7.75, 9, '')])).toEqual({ first: 7, count: 11 })
  expect(hoursAround([at(0, 24, '')])).toEqual({ first: 0, count: 24 })
  expect(hoursAround([])).toEqual({ first: 8, count: 10 })
})

test('the style sheet has each row and each number of hours', () => {
  const sheet = hourGridSheet()
  for (const { first, count } of [
    { first: 0, count: 24 },
    { first: 23, count: 1 },
  ])
    for (const name of [...rowsOf({ from: 0, to: 1440 }, { first, count }).split(' '), `hours-${count}`])
      expect(sheet).toContain(`.${name}{grid-`)
  expect(sheet.match(/grid-row-start/g)).toHaveLength(97)
})
