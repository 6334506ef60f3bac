// Why a logo or an icon is refused, in words for operators.
import { ICON_SIDES, SMALLEST } from '../../../../platform/pictures/brand.ts'
import type { IsolatedBrandDecoding } from '../../../../platform/pictures/isolated-decoder.ts'
import { REFUSALS } from '../../../files/files/rules/refusals.ts'

type Refusal = Extract<IsolatedBrandDecoding, { kind: 'refused' }>['reason']

export const BRAND_REFUSALS: Readonly<Record<Refusal, string>> = {
  ...REFUSALS,
  svg: 'Drawings in SVG are not taken: they can hold programs. Save it as PNG, and send that.',
  moves: 'The picture moves. Choose one that stands still.',
  too_small: `The picture is too small. An icon needs ${SMALLEST.icon} pixels on each side, better ${ICON_SIDES.whole}, and a logo ${SMALLEST.logo}.`,
  not_square: 'The picture is not square. Cut it, or choose another one.',
}
