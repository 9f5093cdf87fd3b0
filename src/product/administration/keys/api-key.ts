import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^svc_[0-9A-Za-z]{36}$/

/** Makes a key: `svc_`, 30 random base62 characters, and their CRC32 in 6 more, which reveals a typo without a look-up. */
export function newApiKey(): string {
  let random = ''
  for (let at = 0; at < 30; at++) random += BASE62[randomInt(62)]
  return `svc_${random}${checksum(random)}`
}

/** Returns true if the text has the form of a key and its checksum is right. */
export function isApiKey(text: string): boolean {
  return FORM.test(text) && text.slice(34) === checksum(text.slice(4, 34))
}

/** Returns the SHA-256 in hex, which is stored instead of the key (specification section 5.4). */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let at = 0; at < 6; at++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
