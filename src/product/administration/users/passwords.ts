import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { countCodePoints, isText } from '../fields.ts'
import { Problem } from '../problem.ts'
import { refusal } from './refusal.ts'

/** In characters, as a person counts them (NIST SP 800-63B, section 5.1.1.2). */
export const MIN_PASSWORD = 10
export const MAX_PASSWORD = 200

/** The cost of scrypt (RFC 7914): OWASP's advice for 32 MiB. It takes some 200 ms. */
interface Cost {
  /** The binary logarithm of N. */
  ln: number
  r: number
  p: number
}

const COST: Cost = { ln: 15, r: 8, p: 3 }
const PREFIX = prefixOf(COST)
const KEY_BYTES = 32

/** As PHC has it, but in base64url. A cost that no version of this program has had is not tried. */
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([\w-]{43})\$([\w-]{43})$/
const MAX_LN = 17

/** What the password of nobody is compared with, so that it takes the same time. */
const NOBODY = `${PREFIX}${'A'.repeat(43)}$${'A'.repeat(43)}`

/**
 * Turns a new password into what is stored of it, in some 200 ms: outside of any transaction.
 *
 * @param of whose it will be: their name and e-mail are guessed first
 * @throws Problem invalid_parameter with `details.reason` password_length or password_guessable; unavailable
 */
export async function hashPassword(password: string, of: { email: string; name: string }): Promise<string> {
  if (!isPossible(password)) throw refusal('password_length', 'password')
  if (isGuessable(password, of)) throw refusal('password_guessable', 'password')
  return rehashPassword(password)
}

/** The same of a password that somebody has already. @throws Problem unavailable */
export async function rehashPassword(password: string): Promise<string> {
  const salt = randomBytes(32)
  const key = await derive(password, salt, COST)
  return `${PREFIX}${salt.toString('base64url')}$${key.toString('base64url')}`
}

/**
 * Compares a password with what is stored. Takes as long where nothing is, as nobody has that e-mail.
 *
 * @throws Problem unavailable when too many are being compared
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  // Nobody has such a password, whoever it is said to be of.
  if (!isPossible(password)) return false
  const [, ln, r, p, salt, hash] = STORED.exec(stored ?? NOBODY) ?? []
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  if (salt === undefined || hash === undefined || cost.ln > MAX_LN) return false
  const key = await derive(password, Buffer.from(salt, 'base64url'), cost)
  return timingSafeEqual(key, Buffer.from(hash, 'base64url')) && stored !== undefined
}

/** Whether it was made at another cost than a password would be now. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(PREFIX)
}

function prefixOf({ ln, r, p }: Cost): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$`
}

/** Whether anybody could have such a password, as far as its length goes. */
export function isPossible(password: string): boolean {
  if (password.length > 2 * MAX_PASSWORD || !isText(password)) return false
  const length = countCodePoints(password)
  return length >= MIN_PASSWORD && length <= MAX_PASSWORD
}

/** Rows of a keyboard and what is counted up, forwards and backwards. */
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

/** What is tried first: few different characters, a run of keys, or a known word with digits and signs around it. */
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

/** Each takes 32 MiB and a thread of the four that files and names are read by too. */
const MOST_AT_ONCE = 2
/** Who waits longer, some three seconds, is told so at once. */
const MOST_WAITING = 30

let running = 0
const waiting: (() => void)[] = []

/** For whoever counts what is compared: one that comes at once is taken. @throws Problem unavailable */
export function refuseCrowd(): void {
  if (running >= MOST_AT_ONCE && waiting.length >= MOST_WAITING) throw new Problem('unavailable')
}

async function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  refuseCrowd()
  if (running >= MOST_AT_ONCE) {
    // Whoever ends hands on its place.
    await new Promise<void>(resolve => waiting.push(resolve))
  } else running++
  try {
    const N = 2 ** ln
    // What RFC 7914 takes, and a little of OpenSSL's own.
    const options = { N, r, p, maxmem: 128 * r * (N + p + 2) + 1024 * 1024 }
    // A password is the same one whatever keyboard composes its letters.
    return await deriveKey(password.normalize('NFKC'), salt, KEY_BYTES, options)
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
