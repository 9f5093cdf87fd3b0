import type { PdfFile } from './pdf.ts'
import { type Picture, readCode } from './qr-reader.ts'

/** A page of A4 has three tickets of this height in points. */
export const THIRD = 841.89 / 3

/** Returns the text of a ticket, or of a column of it. @param at from 0 on, over all pages */
export function slipText(
  pdf: PdfFile,
  at: number,
  { left = 0, width = 596, height = Math.floor(THIRD) } = {},
): string {
  const box = { x: left, y: Math.round((at % 3) * THIRD), W: width, H: height }
  const options = Object.entries(box).flatMap(([name, value]) => [`-${name}`, String(value)])
  return pdf.text(Math.floor(at / 3) + 1, ...options)
}

/** Returns the tickets of a picture of a page. */
export function thirds({ width, height, grey }: Picture): Picture[] {
  const third = Math.floor(height / 3)
  return [0, 1, 2].map(at => ({
    ...{ width, height: third },
    grey: grey.subarray(at * third * width, (at + 1) * third * width),
  }))
}

/** Returns the codes of all tickets that have one, read from pictures of the pages. */
export function codesOf(pdf: PdfFile, resolution: number): string[] {
  return pdf
    .pictures(resolution)
    .flatMap(thirds)
    .flatMap(slip => readCode(slip) ?? [])
}
