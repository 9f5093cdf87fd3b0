import { Parser } from 'saxen'
import { unreadable } from './unreadable.ts'

/**
 * The most characters without the end of a tag, a text or a comment. A cell has at most 32,767 characters, of which each may be
 * written with six.
 */
const MAX_TOKEN = 256 * 1024
/** The most elements inside each other. A workbook has about ten. */
const MAX_DEPTH = 100

export interface XmlHandlers {
  /** Takes the beginning of an element. @param attributes reads the attributes, by their names with their prefixes */
  open(name: string, attributes: () => Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
  /** Returns true if nothing that follows is wanted. */
  isDone?(): boolean
}

/**
 * Reads XML piece by piece. Names come without their prefix. Only the entities of XML itself are replaced, so no document can
 * define others or ask for a file. What waits for its end is never long, and neither is the list of open elements: a thread whose
 * memory ends in the middle of a large text ends the whole process.
 *
 * @throws Problem invalid_parameter for `file` for what is no XML, or has no end in sight
 */
export async function readXml(pieces: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parser = new Parser()
  let waiting = 0
  let depth = 0
  const seen = () => {
    waiting = 0
  }
  parser.on('openTag', (name, attributes, decode, isClosed) => {
    seen()
    if (!isClosed && ++depth > MAX_DEPTH) throw unreadable()
    handlers.open(plain(name), () => decoded(attributes(), decode))
  })
  parser.on('closeTag', (name, _, isClosed) => {
    seen()
    if (!isClosed) depth--
    handlers.close?.(plain(name))
  })
  parser.on('text', (text, decode) => {
    seen()
    handlers.text?.(decode(text))
  })
  parser.on('cdata', text => {
    seen()
    handlers.text?.(text)
  })
  for (const other of ['comment', 'attention', 'question'] as const) parser.on(other, seen)
  parser.on('error', () => {
    throw unreadable()
  })
  for await (const piece of pieces) {
    const text = decode(decoder, piece)
    waiting += text.length
    parser.write(text)
    if (waiting > MAX_TOKEN + text.length) throw unreadable()
    if (handlers.isDone?.()) return
  }
  decode(decoder)
  parser.end()
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    throw unreadable()
  }
}

function plain(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function decoded(
  attributes: Record<string, string>,
  decode: (text: string) => string,
): Record<string, string> {
  for (const name in attributes) {
    const value = attributes[name] as string
    if (value.includes('&')) attributes[name] = decode(value)
  }
  return attributes
}
