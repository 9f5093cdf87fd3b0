/** All measures are in tenths of a millimetre. */
interface Format {
  width: number
  height: number
  /** The labels of an A4 sheet. Without it, each badge is a page of its own. */
  sheet?: { columns: number; rows: number; left: number; top: number; stepX: number; stepY: number }
}

/** The formats of badges that people can buy. */
export const BADGE_FORMATS = {
  a6: { width: 1050, height: 1480 },
  a7: { width: 740, height: 1050 },
  card: { width: 860, height: 540 },
  labels_14: {
    ...{ width: 991, height: 381 },
    sheet: { columns: 2, rows: 7, left: 46.5, top: 151.5, stepX: 1016, stepY: 381 },
  },
  labels_21: {
    ...{ width: 635, height: 381 },
    sheet: { columns: 3, rows: 7, left: 72.5, top: 151.5, stepX: 660, stepY: 381 },
  },
} as const satisfies Readonly<Record<string, Format>>

export const badgeFormats = ['a6', 'a7', 'card', 'labels_14', 'labels_21', 'own'] as const
export type BadgeFormat = (typeof badgeFormats)[number]

/** The sides of a badge of one's own, in tenths of a millimetre. */
export const OWN_SIDES = { least: 200, most: 3000 } as const
/** How far a print may be moved, either way. */
export const MOST_OFFSET = 200
/** A code with shorter sides is not read by all phones. */
const LEAST_CODE = 180

/** How badges are laid out. All measures are in tenths of a millimetre. */
export interface BadgeMeasures {
  format: BadgeFormat
  /** The sides of a badge of format `own`. */
  width: number
  height: number
  offset_x: number
  offset_y: number
}

/** Returns the measures of a badge and of its sheet. */
export function formatOf({ format, width, height }: Omit<BadgeMeasures, 'offset_x' | 'offset_y'>): Format {
  return format === 'own' ? { width, height } : BADGE_FORMATS[format]
}

/** Returns how many badges are on a page. */
export function badgesAPage(layout: Omit<BadgeMeasures, 'offset_x' | 'offset_y'>): number {
  const { sheet } = formatOf(layout)
  return sheet === undefined ? 1 : sheet.columns * sheet.rows
}

/** The space around what is printed, and between its parts, for a badge with these sides in any unit. */
export function paddingOf(width: number, height: number): number {
  return Math.min(width, height) * 0.075
}

/** Returns the height of the bar with the type. */
export function barOf(width: number, height: number): number {
  return Math.min(width, height) * 0.17
}

/** Returns the side of a badge's code. The code stands beside the name of a wide badge, and below that of a high one. */
export function codeSideOf(width: number, height: number): number {
  const padding = paddingOf(width, height)
  const inner = { width: width - 2 * padding, height: height - 3 * padding - barOf(width, height) }
  return width >= height
    ? Math.min(inner.height, inner.width * 0.4)
    : Math.min(inner.width, inner.height * 0.42)
}

/** Returns whether a code on a badge with these sides is large enough to be read. */
export function hasRoomForCode(layout: Omit<BadgeMeasures, 'offset_x' | 'offset_y'>): boolean {
  const { width, height } = formatOf(layout)
  return codeSideOf(width, height) >= LEAST_CODE
}
