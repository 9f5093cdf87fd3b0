import { Resolver } from 'node:dns/promises'
import { type Clock, MINUTE, SECOND } from '../time.ts'

/** How long what was found out is told, in milliseconds. */
const KEPT_FOR = 5 * MINUTE
/** Of all questions of one look, in milliseconds. */
const DEADLINE = 2 * SECOND

/** Whether a name has a record: several make a wrong one of it, and nobody may have answered. */
export type RecordState = 'found' | 'missing' | 'several' | 'unknown'

/** What the domain of a sender says to those who get its mails. */
export interface DomainState {
  domain: string
  /** Who may send in its name (RFC 7208). */
  spf: RecordState
  /** What becomes of mails that somebody else has sent in its name (RFC 7489). */
  dmarc: RecordState
}

/** Looks the texts of a name up: each as the strings that it is made of. */
export type TextLookup = (name: string) => Promise<string[][]>

/** Knows what the domain of the sender says, without anybody waiting for it. */
export class DomainWatch {
  readonly #domain: string
  readonly #clock: Clock
  readonly #lookup: TextLookup | undefined
  #state: DomainState | undefined
  #at = Number.NEGATIVE_INFINITY
  #looking = false

  constructor({ domain, clock, lookup }: { domain: string; clock: Clock; lookup?: TextLookup | undefined }) {
    this.#domain = domain
    this.#clock = clock
    this.#lookup = lookup
  }

  /** What is known; where that is old, or nothing, it begins to look. */
  get state(): DomainState | undefined {
    const now = this.#clock()
    if (!this.#looking && Math.abs(now - this.#at) >= KEPT_FOR) {
      this.#looking = true
      this.#at = now
      void this.#look().then(found => {
        this.#state = found
        this.#looking = false
      })
    }
    return this.#state
  }

  /** Never throws. */
  async #look(): Promise<DomainState> {
    const resolver = new Resolver({ timeout: DEADLINE, tries: 1 })
    const lookup = this.#lookup ?? (name => resolver.resolveTxt(name))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'unknown'>(resolve => {
      timer = setTimeout(resolve, DEADLINE, 'unknown')
    })
    const domain = this.#domain
    const [spf, dmarc] = await Promise.all([
      Promise.race([findRecord(lookup, domain, /^v=spf1( |$)/i), late]),
      Promise.race([findDmarc(lookup, domain), late]),
    ])
    clearTimeout(timer)
    resolver.cancel()
    return { domain, spf, dmarc }
  }
}

/** A domain without a record of its own has that of the organization, above it. */
async function findDmarc(lookup: TextLookup, domain: string): Promise<RecordState> {
  const labels = domain.split('.')
  let found: RecordState = 'missing'
  for (let at = 0; at < Math.max(1, labels.length - 1) && found === 'missing'; at++) {
    found = await findRecord(lookup, `_dmarc.${labels.slice(at).join('.')}`, /^v=DMARC1\b/i)
  }
  return found
}

async function findRecord(lookup: TextLookup, name: string, of: RegExp): Promise<RecordState> {
  try {
    const records = (await lookup(name)).map(strings => strings.join('')).filter(text => of.test(text))
    return records.length === 0 ? 'missing' : records.length === 1 ? 'found' : 'several'
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return ['ENODATA', 'ENOTFOUND'].includes(code) ? 'missing' : 'unknown'
  }
}
