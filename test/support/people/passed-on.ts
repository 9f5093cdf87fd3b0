import { inflateSync } from 'node:zlib'
import type { ReceivedMail } from '../mail-server.ts'

/** Each secret of an order by what it is: `order`, and of each ticket `<holder>’s link` and `<holder>’s code`. */
export type Secrets = Readonly<Record<string, string>>

/** Describes something that a person is given, in all the forms that it can be read in. */
export interface Artefact {
  name: string
  /** Names of the secrets that it is for. */
  may: readonly string[]
  content: readonly (string | Buffer)[]
}

/** Returns the secrets in something that are not for the person who is given it: `<artefact>: <secret>`. */
export function strays({ name, may, content }: Artefact, secrets: Secrets): string[] {
  // Long lines of calendars and of mails are folded, and texts of PDFs broken.
  const texts = content.flatMap(each => {
    const text = typeof each === 'string' ? each : each.toString('latin1')
    return [text, text.replace(/=?\r?\n[ \t]?/g, '')]
  })
  return Object.entries(secrets)
    .filter(([secret, value]) => !may.includes(secret) && texts.some(text => text.includes(value)))
    .map(([secret]) => `${name}: ${secret}`)
}

/** Returns a PDF as it is, and all that is compressed in it. */
export function unpackedPdf(pdf: Buffer): Buffer[] {
  const streams: Buffer[] = []
  for (let at = pdf.indexOf('stream\n'); at !== -1; at = pdf.indexOf('stream\n', at + 1)) {
    try {
      streams.push(inflateSync(pdf.subarray(at + 'stream\n'.length), { finishFlush: 2 }))
    } catch {
      // The part is the end of a stream, or a picture that is compressed in another way.
    }
  }
  return [pdf, ...streams]
}

/** Returns a mail as it came, with each of its decoded parts and their names. */
export function unpackedMail({ raw, parsed }: ReceivedMail): (string | Buffer)[] {
  const parts = parsed.attachments.flatMap(({ content, filename, cid, contentType }) => [
    `${filename} ${cid}`,
    ...(contentType === 'application/pdf' ? unpackedPdf(content) : [content]),
  ])
  return [raw, parsed.text ?? '', String(parsed.html), ...parts]
}
