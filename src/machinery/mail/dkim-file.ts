import { readFileSync } from 'node:fs'
import { Refusal } from '#base/refusal.ts'
import { readDkimKey } from './dkim.ts'
import { domainOf, readSender, type Sender } from './smtp-settings.ts'

/** The flags of a key that signs mails: its file, and what tells it from others of the domain. Both, or neither. */
export interface DkimFlags {
  dkimKey?: string | undefined
  dkimSelector?: string | undefined
}

/** Reads the sender of mails, with the key that signs them if one is named. @throws Refusal */
export function readSigner(mailFrom: string, { dkimKey: file, dkimSelector: selector }: DkimFlags): Sender {
  const sender = readSender(mailFrom)
  if (file === undefined || selector === undefined) return sender
  return { ...sender, dkim: readDkimKey(readKeyFile(file), { domain: domainOf(sender), selector }) }
}

/** No key is longer, in bytes. */
const MOST_BYTES = 64 * 1024

function readKeyFile(file: string): string {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.length <= MOST_BYTES) return text
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Refusal(`--dkim-key ${file} cannot be read (${code}): "turnout mail dkim" makes one.`)
  }
  throw new Refusal(`--dkim-key ${file} is longer than any key.`)
}
