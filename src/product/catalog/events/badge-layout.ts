import * as v from 'valibot'
import * as fields from '#base/fields.ts'
import { badgeFormats, MOST_OFFSET, OWN_SIDES } from '#machinery/ticket-documents/badge-formats.ts'

const side = fields.integer(OWN_SIDES.least, OWN_SIDES.most)
const offset = fields.integer(-MOST_OFFSET, MOST_OFFSET)

/** How the badges of an event are printed. All measures are in tenths of a millimetre. */
export const badgeLayoutSchema = fields.closedObject({
  format: fields.oneOf(badgeFormats),
  /** The sides of a badge of format `own`. */
  width: side,
  height: side,
  /** How far a print is moved, to the right and down, for a printer that is not exact. */
  offset_x: offset,
  offset_y: offset,
  /** The key of the question whose answer stands below the name, such as the company. */
  question: v.nullable(fields.name(64)),
  /** Whether a badge has the code of its ticket. */
  qr: fields.yesOrNo,
})

export type BadgeLayout = v.InferOutput<typeof badgeLayoutSchema>

/** What the form of a new layout offers. */
export const usualLayout: BadgeLayout = {
  ...{ format: 'card', width: 620, height: 400, offset_x: 0, offset_y: 0 },
  ...{ question: null, qr: false },
}

/** Returns a layout as the database keeps it. */
export function writeLayout(layout: BadgeLayout | null): string | null {
  if (layout === null) return null
  const { format, width, height, offset_x, offset_y, question, qr } = layout
  return JSON.stringify({ format, width, height, offset_x, offset_y, question, qr })
}

export function readLayout(text: string | null): BadgeLayout | null {
  return text === null ? null : (JSON.parse(text) as BadgeLayout)
}
