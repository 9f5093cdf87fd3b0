import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { countCodePoints, isText } from '#base/fields.ts'
import { refusal } from './refusal.ts'
import { ScryptLanes, type Waiter } from './scrypt-lanes.ts'

/** In characters, as a person counts them (NIST SP 800-63B, section 5.1.1.2). */
export const MIN_PASSWORD = 10
export const MAX_PASSWORD = 200

/** The cost of scrypt (RFC 7914). It follows OWASP's advice for 32 MiB, and takes some 200 ms. */
interface Cost {
  /** The binary logarithm of N. */
  ln: number
  r: number
  p: number
}

const COST: Cost = { ln: 15, r: 8, p: 3 }
const PREFIX = prefixOf(COST)
const KEY_BYTES = 32

/** The format of PHC, but with base64url. A cost above `MAX_LN` is not tried, because no version of this program has used one. */
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([\w-]{43})\$([\w-]{43})$/
const MAX_LN = 17

/** The hash that a password is compared with if there is no user, so that the comparison takes the same time. */
const NOBODY = `${PREFIX}${'A'.repeat(43)}$${'A'.repeat(43)}`

/**
 * Turns a new password into the text that is stored. It takes some 200 ms, so call it outside any transaction.
 *
 * @param of the person whose password it is. Attackers guess their name and e-mail first
 * @throws Problem invalid_parameter with `details.reason` password_length or password_guessable; unavailable
 */
export async function hashPassword(
  password: string,
  of: { email: string; name: string },
  waiter: Waiter,
): Promise<string> {
  const weakness = findWeakness(password, of)
  if (weakness !== undefined) throw refusal(weakness, 'password')
  return rehashPassword(password, waiter)
}

/**
 * Returns why nobody may choose this password, as far as that can be told without work.
 *
 * @param of what is known of the person so far
 */
export function findWeakness(
  password: string,
  { email = '', name = '' }: { email?: string | undefined; name?: string | undefined },
): 'password_length' | 'password_guessable' | undefined {
  if (!isPossible(password)) return 'password_length'
  return isGuessable(password, { email, name }) ? 'password_guessable' : undefined
}

/** Turns a password that somebody already has into the text that is stored. @throws Problem unavailable */
export async function rehashPassword(password: string, waiter: Waiter): Promise<string> {
  const salt = randomBytes(32)
  const key = await lanes.run(waiter, () => derive(password, salt, COST))
  return `${PREFIX}${salt.toString('base64url')}$${key.toString('base64url')}`
}

/**
 * Compares a password with the stored one. It takes as long if nothing is stored because nobody has that e-mail.
 *
 * @throws Problem unavailable if too many passwords are being compared
 */
export async function isPassword(
  password: string,
  stored: string | undefined,
  waiter: Waiter,
): Promise<boolean> {
  // Nobody can have such a password.
  if (!isPossible(password)) return false
  const [, ln, r, p, salt, hash] = STORED.exec(stored ?? NOBODY) ?? []
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  if (salt === undefined || hash === undefined || cost.ln > MAX_LN) return false
  const key = await lanes.run(waiter, () => derive(password, Buffer.from(salt, 'base64url'), cost))
  return timingSafeEqual(key, Buffer.from(hash, 'base64url')) && stored !== undefined
}

/** Returns whether the password was hashed at another cost than the current one. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(PREFIX)
}

function prefixOf({ ln, r, p }: Cost): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$`
}

/** Returns whether the length and the characters of the password are allowed. */
export function isPossible(password: string): boolean {
  if (password.length > 2 * MAX_PASSWORD || !isText(password)) return false
  const length = countCodePoints(password)
  return length >= MIN_PASSWORD && length <= MAX_PASSWORD
}

/** Rows of a keyboard, digits and letters in order, each forwards and backwards. */
const RUNS = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'].flatMap(
  run => [run, [...run].reverse().join('')],
)
const COMMON = [
  'password',
  'passwordpassword',
  'turnout',
  'administrator',
  'iloveyou',
  'letmein',
  'welcome',
  'qwerty',
]
const FEWEST_LETTERS = 4

/**
 * Returns true for passwords that attackers try first: few different characters, a run of keys, or a known word with digits and
 * signs around it.
 */
function isGuessable(password: string, { email, name }: { email: string; name: string }): boolean {
  const lower = password.normalize('NFKC').toLowerCase()
  if (new Set(lower).size < FEWEST_LETTERS || RUNS.some(run => run.includes(lower))) return true
  const letters = lettersOf(lower)
  const words = [email, email.slice(0, email.lastIndexOf('@')), name, ...COMMON]
  return lower === email.toLowerCase() || words.some(word => letters !== '' && lettersOf(word) === letters)
}

function lettersOf(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\P{L}/gu, '')
}

/** The lanes of the whole process, because its threads are shared too. */
const lanes = new ScryptLanes()

/**
 * Serves callers that count what is compared. A call of `isPassword` right after it is not refused.
 *
 * @throws Problem unavailable
 */
export function refuseCrowd(waiter: Waiter): void {
  lanes.refuseCrowd(waiter)
}

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln
  // This is what RFC 7914 takes, and a little for OpenSSL itself.
  const options = { N, r, p, maxmem: 128 * r * (N + p + 2) + 1024 * 1024 }
  // A password must be the same one however the keyboard composes its letters.
  return deriveKey(password.normalize('NFKC'), salt, KEY_BYTES, options)
}

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
