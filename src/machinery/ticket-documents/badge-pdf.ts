import { type BadgeMeasures, badgesAPage, formatOf } from './badge-formats.ts'
import { type Asker, drawInTurn } from './drawing/drawings.ts'
import type { Badge, BadgePage, Sheets } from './drawing/sheet.ts'

const POINTS = 72 / 254

/** The badges of a file. */
export interface BadgeDocument extends Pick<Sheets, 'language' | 'title' | 'author' | 'issuedAt' | 'logo'> {
  layout: BadgeMeasures
  /** The label of the first sheet with which the badges begin, from 1. */
  first: number
  badges: readonly PrintedBadge[]
}

export type PrintedBadge = Omit<Badge, 'x' | 'y' | 'width' | 'height' | 'colour'> & {
  /** Which of the event's types it is, from 0. It decides on the colour. */
  typeAt: number
}

/** The colours of types, in the order of the types. White letters can be read on each of them. */
export const BADGE_COLOURS: readonly (readonly [number, number, number])[] = [
  [38, 71, 200],
  [154, 77, 0],
  [15, 110, 102],
  [163, 25, 91],
  [68, 80, 95],
  [109, 40, 217],
  [47, 107, 31],
  [180, 35, 24],
]

/** Returns a PDF of badges, each on a page of its size, or on sheets of labels. @throws as `Drawings.draw` */
export function badgePdf(document: BadgeDocument, asker: Asker): Promise<Buffer> {
  const { language, title, author, issuedAt, logo, layout } = document
  const { width, height, sheet } = formatOf(layout)
  const paper = sheet === undefined ? ([width * POINTS, height * POINTS] as const) : 'A4'
  return drawInTurn({ language, title, author, issuedAt, logo, paper, sheets: toPages(document) }, asker)
}

function toPages({ layout, first, badges }: BadgeDocument): BadgePage[] {
  const each = badgesAPage(layout)
  const skipped = each === 1 ? 0 : first - 1
  const pages: Badge[][] = []
  for (const [at, { typeAt, ...badge }] of badges.entries()) {
    const place = (at + skipped) % each
    const colour = BADGE_COLOURS[typeAt % BADGE_COLOURS.length] as Badge['colour']
    if (place === 0 || pages.length === 0) pages.push([])
    pages.at(-1)?.push({ ...badge, colour, ...boxAt(layout, place) })
  }
  return pages.map(page => ({ badges: page }))
}

/** @param place of the label on its sheet, from 0, row by row */
function boxAt(layout: BadgeMeasures, place: number): Pick<Badge, 'x' | 'y' | 'width' | 'height'> {
  const { width, height, sheet } = formatOf(layout)
  const column = sheet === undefined ? 0 : place % sheet.columns
  const row = sheet === undefined ? 0 : Math.floor(place / sheet.columns)
  const x = sheet === undefined ? 0 : sheet.left + column * sheet.stepX
  const y = sheet === undefined ? 0 : sheet.top + row * sheet.stepY
  return {
    x: (x + layout.offset_x) * POINTS,
    y: (y + layout.offset_y) * POINTS,
    width: width * POINTS,
    height: height * POINTS,
  }
}
