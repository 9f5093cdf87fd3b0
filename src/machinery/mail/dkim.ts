import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '#base/refusal.ts'

/** The bits of a key that is made. Name servers take its record in two strings. */
const MADE_BITS = 2048
/** Recipients check no signature by a shorter key (RFC 8301, section 3.2). */
const LEAST_BITS = 1024
/** The most bytes of one string of a record (RFC 1035, section 3.3.14). */
const STRING_BYTES = 255
/** One or more labels of a name (RFC 6376, section 3.1). */
const SELECTOR = /^(?=.{1,63}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** A key by which the mails of a domain are signed (RFC 6376). */
export interface DkimKey {
  domain: string
  /** It tells the keys of a domain apart. */
  selector: string
  /** PEM. */
  privateKey: string
  /** The public key, as the record has it: base64. */
  publicKey: string
}

/** Makes a private key, as PEM. */
export async function makeDkimKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: MADE_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return privateKey
}

/**
 * Reads the key that signs the mails of a domain.
 *
 * @param pem the private key @param of its domain, and what tells it from others
 * @throws Refusal which repeats nothing of the key
 */
export function readDkimKey(
  pem: string,
  { domain, selector }: Pick<DkimKey, 'domain' | 'selector'>,
): DkimKey {
  const name = readSelector(selector)
  const key = parse(pem)
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType !== 'rsa' || bits < LEAST_BITS) {
    throw new Refusal(
      `--dkim-key must have an RSA key of ${LEAST_BITS} bits or more: "turnout mail dkim" makes one.`,
    )
  }
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
  return { domain, selector: name, privateKey: pem, publicKey }
}

/** Returns a selector in lower case, as names are compared. @throws Refusal */
export function readSelector(selector: string): string {
  const name = selector.toLowerCase()
  if (SELECTOR.test(name)) return name
  throw new Refusal('--dkim-selector must be a part of a name, such as turnout: letters, digits and hyphens.')
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Refusal(
      '--dkim-key must have a private key, PEM without a passphrase: "turnout mail dkim" makes one.',
    )
  }
}

/** Returns the name of the record by which recipients check the signatures. */
export function recordName({ domain, selector }: Pick<DkimKey, 'domain' | 'selector'>): string {
  return `${selector}._domainkey.${domain}`
}

/** Returns the text of that record (RFC 6376, section 3.6.1). */
export function recordText({ publicKey }: DkimKey): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`
}

/** Returns the record as a line of a zone file, which has a long text in several strings. */
export function zoneLine(key: DkimKey): string {
  const strings = recordText(key).match(new RegExp(`.{1,${STRING_BYTES}}`, 'g')) ?? []
  return `${recordName(key)}. IN TXT ${strings.map(text => `"${text}"`).join(' ')}`
}

/** Tells whether a text of the record's name is a record of a key, and not something else. */
export const IS_RECORD = /(^|;)\s*p\s*=/i

/** Tells whether a record is that of this key. An empty `p` withdraws a key. */
export function isOfKey(record: string, { publicKey }: DkimKey): boolean {
  const tags = record.split(';').map(tag => tag.split(/=(.*)/s).map(part => part.replace(/\s/g, '')))
  return tags.some(([name, value]) => name === 'p' && value === publicKey)
}
