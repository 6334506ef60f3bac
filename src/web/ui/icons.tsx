/** @jsxImportSource preact */
// Icons of one set (Heroicons, MIT), drawn within the page. They decorate: the text beside them says the same.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { VNode } from 'preact'

export const ICON_NAMES = [
  'adjustments-horizontal',
  'arrow-path',
  'bars-3',
  'beaker',
  'bolt',
  'book-open',
  'briefcase',
  'bug-ant',
  'calendar-days',
  'chart-bar',
  'check-badge',
  'clipboard-document-list',
  'clock',
  'code-bracket',
  'cog-6-tooth',
  'cpu-chip',
  'credit-card',
  'envelope',
  'fire',
  'hand-raised',
  'home',
  'home-modern',
  'identification',
  'inbox',
  'key',
  'light-bulb',
  'magnifying-glass',
  'map',
  'map-pin',
  'paint-brush',
  'photo',
  'puzzle-piece',
  'queue-list',
  'shield-check',
  'signal',
  'sparkles',
  'star',
  'sun',
  'tag',
  'trophy',
  'truck',
  'user-group',
  'users',
  'wrench',
  'wrench-screwdriver',
] as const
export type IconName = (typeof ICON_NAMES)[number]

const FOLDER = join(dirname(fileURLToPath(import.meta.resolve('heroicons/package.json'))), '24/outline')

/** The paths of an icon in a square of 24 units, drawn as lines. */
const pathsOf = (name: IconName): string[] =>
  [...readFileSync(join(FOLDER, `${name}.svg`), 'utf8').matchAll(/ d="([^"]+)"/g)].map(([, path = '']) => path)

const PATHS = new Map<IconName, string[]>(ICON_NAMES.map((name) => [name, pathsOf(name)]))

/** An icon as high as the text around it. */
export const Icon = ({ name }: { name: IconName }): VNode => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    {PATHS.get(name)?.map((path) => (
      <path d={path} />
    ))}
  </svg>
)
