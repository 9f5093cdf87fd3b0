import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '#base/config.ts'
import { readFontFolder, USUAL_FONTS } from '#machinery/ticket-documents/drawing/font-folder.ts'
import { useFonts } from '#machinery/ticket-documents/drawing/thread.ts'

/**
 * Lets PDFs use the fonts of a folder, for letters that the carried ones lack. A folder or a font that cannot be used is a warning
 * in the log, as PDFs do without it and say so. Glyphs are read only once a text needs them.
 */
export function prepareFonts({ fontDir }: Pick<Config, 'fontDir'>, log: Logger): void {
  const folder = fontDir ?? (existsSync(USUAL_FONTS) ? USUAL_FONTS : undefined)
  const warn = (sentence: string) => log.warn(sentence)
  useFonts(folder, warn)
  if (folder === undefined) return
  for (const fault of readFontFolder(folder).faults) warn(fault)
}
