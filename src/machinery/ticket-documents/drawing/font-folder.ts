import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type FontEntry, type FontFault, readFontFile, UnusableFont } from './font-file.ts'

/** Debian puts the fonts of its package `fonts-noto-cjk` here. */
export const USUAL_FONTS = '/usr/share/fonts/opentype/noto'

/** The most files that are looked at. */
const MOST_FILES = 500
const ENDINGS = ['.otf', '.ttf', '.ttc', '.otc']

/** The fonts of a folder, and what is wrong there, in sentences for the log. */
export interface FoundFonts {
  entries: FontEntry[]
  faults: string[]
}

const FAULTS: Record<FontFault, string> = {
  unreadable: 'cannot be read',
  broken: 'is no font, or is broken',
  noGlyphs: 'has no glyphs that a PDF can show',
  restricted: 'says itself that it is for no document',
  tooLarge: 'is larger than 64 MB',
}

export function describeFault(path: string, error: unknown): string {
  const reason = error instanceof UnusableFont ? FAULTS[error.fault] : FAULTS.broken
  return `The font ${path} ${reason}, so PDFs do without it.`
}

/** Reads which fonts a folder and the folders in it have, without their glyphs. It never fails. */
export function readFontFolder(folder: string): FoundFonts {
  const found: FoundFonts = { entries: [], faults: [] }
  let paths: string[]
  try {
    paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => ENDINGS.includes(extname(name).toLowerCase()))
      .sort()
      .map(name => join(folder, name))
  } catch {
    found.faults.push(`The folder of fonts ${folder} cannot be read, so PDFs do without it.`)
    return found
  }
  for (const path of paths.slice(0, MOST_FILES)) {
    try {
      found.entries.push(...readFontFile(path))
    } catch (error) {
      found.faults.push(describeFault(path, error))
    }
  }
  if (paths.length > MOST_FILES)
    found.faults.push(`The folder of fonts ${folder} has more than ${MOST_FILES} files: PDFs use the first.`)
  if (paths.length === 0) found.faults.push(`The folder of fonts ${folder} has no font.`)
  return found
}
