/** @jsxImportSource preact */
// A quiet map as inline SVG: borders, names of cities, a circle, and numbered dots.
import type { VNode } from 'preact'
import { useRegion } from '../../ui/site.tsx'
import { type Border, getBorders } from './outlines.ts'

export interface MapPoint {
  latitude: number
  longitude: number
}

export interface MapContent {
  /** Numbered from `firstNumber`; each links to the element `pro-<number>`. */
  dots: readonly MapPoint[]
  firstNumber?: number
  circle?: { center: MapPoint; miles: number } | undefined
  /** The most populous first. */
  cities: readonly (MapPoint & { name: string })[]
}

/** In pixels of a page of the usual width. */
export interface MapSize {
  width: number
  height: number
}

const USUAL_SIZE: MapSize = { width: 720, height: 300 }
const MILES_PER_DEGREE = 69.1
/** A view shows at least this far from its center to the north and south, so that some border or city is in it. */
const LEAST_MILES = 7
const MAX_CITIES = 7
/** Counties would be too many lines in a larger view. */
const COUNTIES_WITHIN_MILES = 220

interface View extends MapSize {
  x(longitude: number): number
  y(latitude: number): number
  pixelsPerMile: number
  west: number
  east: number
  south: number
  north: number
}

/** The map. Programs that read pages aloud get the list instead, which has the same numbers. */
export function resultsMap(content: MapContent, size = USUAL_SIZE): VNode | false {
  const view = viewOf(content, size)
  if (!view) return false
  const { dots, firstNumber = 1, circle, cities } = content
  return (
    <svg class="map" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true" focusable="false">
      <Borders view={view} kind="county" />
      <Borders view={view} kind="state" />
      {circle && (
        <circle
          class="around"
          cx={view.x(circle.center.longitude)}
          cy={view.y(circle.center.latitude)}
          r={Math.round(circle.miles * view.pixelsPerMile)}
        />
      )}
      {labelsIn(view, cities, dots)}
      {dots
        .map((dot, index) => ({ dot, number: firstNumber + index }))
        .toReversed()
        .map(({ dot, number }) => (
          <a href={`#pro-${number}`} tabindex={-1}>
            <circle class="dot" cx={view.x(dot.longitude)} cy={view.y(dot.latitude)} r="11" />
            <text class="number" x={view.x(dot.longitude)} y={view.y(dot.latitude) + 4}>
              {number}
            </text>
          </a>
        ))}
    </svg>
  )
}

/** Fits the dots and the center of the circle; without dots the whole circle. Undefined without either. */
function viewOf({ dots, circle }: MapContent, { width, height }: MapSize): View | undefined {
  const points = [...dots, ...(circle ? [circle.center] : [])]
  const [first] = points
  if (!first) return undefined
  const latitudes = points.map(({ latitude }) => latitude)
  const longitudes = points.map(({ longitude }) => longitude)
  const latitude = (Math.min(...latitudes) + Math.max(...latitudes)) / 2
  const longitude = (Math.min(...longitudes) + Math.max(...longitudes)) / 2
  const across = MILES_PER_DEGREE * Math.max(Math.cos((latitude * Math.PI) / 180), 0.05)
  const reach = dots.length === 0 && circle ? circle.miles : 0
  const north = Math.max(Math.max(...latitudes) - latitude, reach / MILES_PER_DEGREE) * MILES_PER_DEGREE
  const east = Math.max(Math.max(...longitudes) - longitude, reach / across) * across
  const halfHeight = Math.max(LEAST_MILES, north * 1.15, (east * 1.1 * height) / width)
  const pixelsPerMile = height / 2 / halfHeight
  const halfWidth = (halfHeight * width) / height
  return {
    width,
    height,
    x: (lng) => Math.round(width / 2 + (lng - longitude) * across * pixelsPerMile),
    y: (lat) => Math.round(height / 2 - (lat - latitude) * MILES_PER_DEGREE * pixelsPerMile),
    pixelsPerMile,
    west: longitude - halfWidth / across,
    east: longitude + halfWidth / across,
    south: latitude - halfHeight / MILES_PER_DEGREE,
    north: latitude + halfHeight / MILES_PER_DEGREE,
  }
}

/** Those of the marketplace's own country. */
const Borders = ({ view, kind }: { view: View; kind: 'state' | 'county' }): VNode => (
  <path class={kind} d={bordersIn(getBorders(useRegion().country), { view, kind })} />
)

/** A path with the borders that cross the view. Segments outside it and steps of less than two pixels are left out. */
function bordersIn(borders: readonly Border[], { view, kind }: { view: View; kind: Border['kind'] }): string {
  if (kind === 'county' && (view.north - view.south) * MILES_PER_DEGREE > COUNTIES_WITHIN_MILES) return ''
  return borders
    .filter((it) => it.kind === kind && it.east >= view.west && it.west <= view.east)
    .filter((it) => it.north >= view.south && it.south <= view.north)
    .map(({ points }) => pathOf(view, points))
    .join('')
}

function pathOf(view: View, points: Float32Array): string {
  let path = ''
  let isDrawing = false
  let [lastX, lastY] = [Number.NaN, Number.NaN]
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [view.x(points[at] ?? 0), view.y(points[at + 1] ?? 0)]
    const isLast = at + 2 >= points.length
    if (Math.abs(x - lastX) + Math.abs(y - lastY) < 3 && !isLast) continue
    const isOutside =
      Math.max(x, lastX) < 0 ||
      Math.min(x, lastX) > view.width ||
      Math.max(y, lastY) < 0 ||
      Math.min(y, lastY) > view.height
    if (!isOutside && !Number.isNaN(lastX)) {
      path += `${isDrawing ? '' : `M${lastX} ${lastY}`}l${x - lastX} ${y - lastY}`
      isDrawing = true
    } else isDrawing = false
    ;[lastX, lastY] = [x, y]
  }
  return path
}

/** Below or above its place, a name may be free of the dots. */
const LABEL_OFFSETS = [4, 28, -20, 52]

/** The names of the largest cities in the view, as far as they overlap neither each other nor a dot. */
function labelsIn(view: View, cities: MapContent['cities'], dots: readonly MapPoint[]): VNode[] {
  const labels: { name: string; x: number; y: number }[] = []
  const taken = dots.map(({ latitude, longitude }) => ({ x: view.x(longitude), y: view.y(latitude) }))
  for (const { name, latitude, longitude } of cities) {
    if (labels.length === MAX_CITIES) break
    if (latitude < view.south || latitude > view.north || longitude < view.west || longitude > view.east) continue
    const half = name.length * 4
    const x = view.x(longitude)
    const isOnDot = (y: number) =>
      taken.some((dot) => Math.abs(dot.x - x) < half + 12 && Math.abs(dot.y - (y - 5)) < 18)
    const offset = LABEL_OFFSETS.find((it) => !isOnDot(view.y(latitude) + it))
    if (offset === undefined) continue
    const y = view.y(latitude) + offset
    const isFree = labels.every((it) => Math.abs(it.y - y) > 34 || Math.abs(it.x - x) > half + it.name.length * 4)
    if (isFree && x > half && x < view.width - half && y > 16 && y < view.height - 8) labels.push({ name, x, y })
  }
  return labels.map(({ name, x, y }) => (
    <text class="city" x={x} y={y}>
      {name}
    </text>
  ))
}
