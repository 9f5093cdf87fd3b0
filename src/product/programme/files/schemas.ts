/** How many bytes each piece of a file has but the last, which has fewer or as many. */
export const PIECE = 256 * 1024

/** A file that is attached to a submission. */
export interface AbstractFile {
  id: string
  event_id: string
  submission_id: string
  /** What the machine called it that it came from, without its folder. */
  name: string
  /** Bytes. */
  size: number
  /** Of its bytes, in hex. */
  sha256: string
  /** When it was attached, in milliseconds. */
  updated_at: number
}

/** The name of a file that has none. */
export const NAMELESS = 'file.pdf'

/** The most characters of the name of a file. */
const MOST_OF_NAME = 200

/** Returns how a file is called: its name without its folder, and without what no name has. */
export function nameOfFile(sent: string): string {
  const [name = ''] = /[^/\\]*$/.exec(sent) ?? []
  const visible = name
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return [...visible.slice(0, 2 * MOST_OF_NAME)].slice(0, MOST_OF_NAME).join('') || NAMELESS
}
