import { Resolver } from 'node:dns/promises'
import { type Clock, MINUTE, SECOND } from '#base/time.ts'
import { type DkimKey, IS_RECORD, isOfKey, recordName } from './dkim.ts'

/** How long a result stays valid, in milliseconds. */
const KEPT_FOR = 5 * MINUTE
/** The time for all questions of one look, in milliseconds. */
const DEADLINE = 2 * SECOND

/** Tells whether a name has a record. Several records make an invalid one, and `unknown` means that nobody answered. */
export type RecordState = 'found' | 'missing' | 'several' | 'unknown'

/** Tells the same of the record of a key: `other` is one of another key. */
export type KeyRecordState = Exclude<RecordState, 'several'> | 'other'

/** The rules that the domain of a sender publishes for the recipients of its mails. */
export interface DomainState {
  domain: string
  /** The record that says who may send in the domain's name (RFC 7208). */
  spf: RecordState
  /** The record that says what to do with mails that somebody else has sent in the domain's name (RFC 7489). */
  dmarc: RecordState
  /** The record by which the signatures of mails are checked (RFC 6376). It is undefined if none are signed here. */
  dkim: KeyRecordState | undefined
}

/** Looks up the texts of a name. Each is a list of the strings that it is made of. */
export type TextLookup = (name: string) => Promise<string[][]>

interface DomainQuestion {
  domain: string
  /** The key that signs mails. */
  dkim?: DkimKey | undefined
  lookup?: TextLookup | undefined
}

interface DomainWatchOptions extends DomainQuestion {
  clock: Clock
}

/** Knows the rules that the domain of the sender publishes. Nobody waits for the look-up. */
export class DomainWatch {
  readonly #question: DomainQuestion
  readonly #clock: Clock
  #state: DomainState | undefined
  #at = Number.NEGATIVE_INFINITY
  #looking = false

  constructor({ clock, ...question }: DomainWatchOptions) {
    this.#question = question
    this.#clock = clock
  }

  /** Returns the last result. If it is old or missing, a look begins. */
  get state(): DomainState | undefined {
    const now = this.#clock()
    if (!this.#looking && Math.abs(now - this.#at) >= KEPT_FOR) {
      this.#looking = true
      this.#at = now
      void lookUpDomain(this.#question).then(found => {
        this.#state = found
        this.#looking = false
      })
    }
    return this.#state
  }
}

/** Looks up the records. It never throws. */
export async function lookUpDomain({
  domain,
  dkim: key,
  lookup: given,
}: DomainQuestion): Promise<DomainState> {
  const resolver = new Resolver({ timeout: DEADLINE, tries: 1 })
  const lookup = given ?? (name => resolver.resolveTxt(name))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'unknown'>(resolve => {
    timer = setTimeout(resolve, DEADLINE, 'unknown')
  })
  const [spf, dmarc, dkim] = await Promise.all([
    Promise.race([findRecord(lookup, domain, /^v=spf1( |$)/i), late]),
    Promise.race([findDmarc(lookup, domain), late]),
    key === undefined ? undefined : Promise.race([findKey(lookup, key), late]),
  ])
  clearTimeout(timer)
  resolver.cancel()
  return { domain, spf, dmarc, dkim }
}

/** Finds the DMARC record. A domain without a record of its own has that of the organization above it. */
async function findDmarc(lookup: TextLookup, domain: string): Promise<RecordState> {
  const labels = domain.split('.')
  let found: RecordState = 'missing'
  for (let at = 0; at < Math.max(1, labels.length - 1) && found === 'missing'; at++) {
    found = await findRecord(lookup, `_dmarc.${labels.slice(at).join('.')}`, /^v=DMARC1\b/i)
  }
  return found
}

/** Finds the record of a key. Where there are several, recipients may take any, so each has to be that of the key. */
async function findKey(lookup: TextLookup, key: DkimKey): Promise<KeyRecordState> {
  const records = await listRecords(lookup, recordName(key), IS_RECORD)
  if (records === 'unknown') return records
  if (records.length === 0) return 'missing'
  return records.every(record => isOfKey(record, key)) ? 'found' : 'other'
}

async function findRecord(lookup: TextLookup, name: string, of: RegExp): Promise<RecordState> {
  const records = await listRecords(lookup, name, of)
  if (records === 'unknown') return records
  return records.length === 0 ? 'missing' : records.length === 1 ? 'found' : 'several'
}

async function listRecords(lookup: TextLookup, name: string, of: RegExp): Promise<string[] | 'unknown'> {
  try {
    return (await lookup(name)).map(strings => strings.join('')).filter(text => of.test(text))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return ['ENODATA', 'ENOTFOUND'].includes(code) ? [] : 'unknown'
  }
}
