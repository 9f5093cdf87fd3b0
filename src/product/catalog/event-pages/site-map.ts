import { HOUR } from '#base/time.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import { type LegalKind, legalKinds } from '#product/administration/accounts/legal.ts'
import { findEntrance } from './rules.ts'
import type { AsOf } from './schemas.ts'
import * as store from './store.ts'

/**
 * The most events of a part. Each event has an address in each language and one without, so that a part stays far below the
 * 50,000 addresses and 50 MB that the protocol allows: https://www.sitemaps.org/protocol.html
 */
export const MOST_IN_PART = 1_000
/** The most parts of either kind, so that no request counts or skips more than 50,000 events. */
const MOST_PARTS = 50
/** The most accounts whose lists the map has. Each may have three legal texts beside its list. */
const MOST_LISTS = 1_000
/** The most series that the map has, in the part that has the lists. */
const MOST_SERIES = 5_000
/** An event that is over stays in the map for no longer than this, in milliseconds. */
const KEPT_FOR = HOUR

/** A part of a map: the lists of events and the series, events with a date, or those without one. Parts are numbered from 1. */
export type PartName = 'lists' | `dated-${number}` | `undated-${number}`

/** The public pages of all accounts, for search engines: the lists, the legal texts beside them, the series, and the events to come. */
export interface SiteMap {
  /** The list of all organizers is part of the site. */
  hasListOfAll: boolean
  /** The accounts whose lists are part of it. */
  accounts: MappedAccount[]
  series: MappedSeries[]
  events: MappedEvent[]
  /** The map is too large for one file. These parts have its content, and it has none itself. */
  parts: PartName[]
}

export interface MappedAccount {
  slug: string
  /** Its legal texts that are pages here. Those elsewhere are part of another site. */
  legal: LegalKind[]
}

/** A series with a public date to come. */
export interface MappedSeries {
  account: string
  slug: string
}

export interface MappedEvent {
  account: string
  slug: string
  /** When it last changed, in milliseconds. */
  changedAt: number
}

/** Reads the map, or the names of its parts if it is too large for one file. @param now in milliseconds */
export async function readSiteMap(tx: InstanceReadTx, now: number): Promise<AsOf<SiteMap>> {
  const { dated, undated } = await store.countMapped(tx, now, MOST_IN_PART * MOST_PARTS)
  if (dated + undated > MOST_IN_PART) {
    const numbered = <Kind extends 'dated' | 'undated'>(kind: Kind, count: number) =>
      Array.from({ length: Math.ceil(count / MOST_IN_PART) }, (_, at) => `${kind}-${at + 1}` as const)
    return asOf(now, { parts: ['lists', ...numbered('dated', dated), ...numbered('undated', undated)] })
  }
  const all = { most: MOST_IN_PART, after: 0 }
  const rows = [...(await store.mapDated(tx, now, all)), ...(await store.mapUndated(tx, all))]
  return asOf(now, { ...(await readLists(tx, now)), events: rows.map(present) })
}

/**
 * Reads one part of a large map.
 *
 * @param name as a request has it
 * @returns null if there is no such part
 */
export async function readPart(tx: InstanceReadTx, name: string, now: number): Promise<AsOf<SiteMap | null>> {
  if (name === 'lists') return asOf(now, await readLists(tx, now))
  const [, kind, number] = /^(dated|undated)-([1-9]\d?)$/.exec(name) ?? []
  const at = Number(number) - 1
  if (kind === undefined || at >= MOST_PARTS) return { shown: null, until: Number.POSITIVE_INFINITY }
  const slice = { most: MOST_IN_PART, after: at * MOST_IN_PART }
  const rows = kind === 'dated' ? await store.mapDated(tx, now, slice) : await store.mapUndated(tx, slice)
  return rows.length === 0 ? { shown: null, until: now + KEPT_FOR } : asOf(now, { events: rows.map(present) })
}

async function readLists(
  tx: InstanceReadTx,
  now: number,
): Promise<Pick<SiteMap, 'hasListOfAll' | 'accounts' | 'series'>> {
  const hasListOfAll = (await findEntrance(tx)).to === 'list'
  const rows = await store.mapAccounts(tx, now, MOST_LISTS)
  const accounts = rows.map(row => ({
    slug: row.slug,
    legal: legalKinds.filter(kind => row[`has_${kind}`] === 1),
  }))
  const found = await store.mapSeries(tx, now, MOST_SERIES)
  const series = found.map(({ account_slug: account, slug }) => ({ account, slug }))
  return { hasListOfAll, accounts, series }
}

function asOf(now: number, part: Partial<SiteMap>): AsOf<SiteMap> {
  const shown = { hasListOfAll: false, accounts: [], series: [], events: [], parts: [], ...part }
  return { shown, until: now + KEPT_FOR }
}

function present({ account_slug: account, slug, updated_at: changedAt }: store.MappedRow): MappedEvent {
  return { account, slug, changedAt }
}
