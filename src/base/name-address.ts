import { domainToASCII } from 'node:url'
import * as v from 'valibot'
import { says } from './faults.ts'
import { isHostEnding } from './host-endings.ts'

/** Characters that nobody sees between two others. They do not split an address. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu

/** Signs that people read as a dot, and in the next lines as a slash or a colon. NFKC leaves them as they are. */
const DOTS = /[\u3002\u06d4\u0701\u0702\ua4f8\ua60e]/g
const SLASHES = /[\\\u2044\u2215\u2216\u29f5\u29f8\u29f9\u2571\u2572\u27cb\u27cd\u1735]/g
const COLONS = /[\u2236\ua789\u02f8\u0589\u05c3]/g

/**
 * Matches a scheme or the usual beginning of a host, also in the forms in which people write an address so that it does not
 * become a link.
 */
const BEGINNING = /:\s*\/\s*\/|\bh(?:tt|xx)ps?\s*:|www\d?\s*\./

/** Matches what follows a host in an address. A question mark may also end a sentence, and a number sign may begin a number. */
const HOST_END = /\/|[?#](?=\S)/g

/** Matches the characters that no host is written with. */
const NO_HOST = /[^\p{L}\p{M}\p{N}.:_-]+/u
const PORT = /:\d{0,5}$/
const LABEL_LENGTH = 63
/** The most characters to return of the address that was found. */
const MAX_FOUND = 50

/** Degrees and forms of companies that people write without spaces. They end as a host does. */
const ABBREVIATIONS: ReadonlySet<string> = new Set([
  ...['b.sc', 'm.sc', 'd.sc', 'b.com', 'm.com', 'b.tech', 'm.tech', 'b.ch', 'm.ch', 'm.st'],
  ...['dipl.ing', 'dr.ing', 'dr.med', 'dr.med.vet', 'b.vet.med'],
  ...['co.kg', 'co.ltd', 'co.inc', 'co.llc', 'pty.ltd', 'pvt.ltd', 's.coop'],
])

/**
 * Finds a web address in a name: `://`, `www.`, or a host with a known ending before a slash or a query. "Booking.com GmbH" has
 * none, and neither has "J.R. Smith" or "A/B". The function reads the name as people do: it ignores the case, the width and the
 * kind of a letter, and whatever nobody sees between letters.
 *
 * @param name must be short and without piled-up marks, which the caller checks
 * @returns the beginning of the address in the form in which it was judged, or undefined if there is none
 */
export function findAddress(name: string): string | undefined {
  for (const form of formsOf(name)) {
    const found = findBeginning(form) ?? findHost(form)
    if (found !== undefined) return found.slice(0, MAX_FOUND)
  }
  return undefined
}

/** Refuses a name that contains a web address. */
export const withoutAddress = v.check<string, (issue: v.CheckIssue<string>) => string>(
  name => findAddress(name) === undefined,
  ({ input }) => says('addressInName', { found: findAddress(input) ?? '' }),
)

const PLAIN = /^[ -~]*$/
/** Matches what every address in plain letters contains. */
const SUSPECT = /[:/\\?#]|www/i

/**
 * Returns the forms in which a name is read: with its marks, which are part of some hosts, and without them, as marks may also
 * hide an address.
 */
function formsOf(name: string): Iterable<string> {
  if (PLAIN.test(name)) return SUSPECT.test(name) ? [readAs(name)] : []
  const seen = name.normalize('NFKC').replace(UNSEEN, '')
  return new Set([readAs(seen), readAs(seen.normalize('NFKD').replace(/\p{M}/gu, ''))])
}

function readAs(text: string): string {
  return text.toLowerCase().replace(DOTS, '.').replace(SLASHES, '/').replace(COLONS, ':')
}

function findBeginning(form: string): string | undefined {
  const [beginning] = BEGINNING.exec(form) ?? []
  if (beginning === undefined) return undefined
  const at = form.indexOf(beginning)
  const end = form.indexOf(' ', at + beginning.length)
  return form.slice(form.lastIndexOf(' ', at) + 1, end < 0 ? undefined : end)
}

function findHost(form: string): string | undefined {
  let from = 0
  for (const { 0: end, index } of form.matchAll(HOST_END)) {
    const written = form.slice(from, index).split(NO_HOST).at(-1) ?? ''
    if (isHost(written.replace(PORT, '').replace(/\.$/, ''))) return written + end
    from = index + 1
  }
  return undefined
}

function isHost(host: string): boolean {
  const labels = host.split('.')
  const last = labels.at(-1) as string
  if (labels.length < 2 || ABBREVIATIONS.has(host)) return false
  if (labels.length === 4 && labels.every(label => /^\d{1,3}$/.test(label))) return true
  return last.length <= LABEL_LENGTH && isHostEnding(domainToASCII(last))
}
