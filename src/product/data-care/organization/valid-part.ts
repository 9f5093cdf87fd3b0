import { faultyPlaces, isObject, listed } from './check.ts'
import { Places } from './places.ts'
import type { Form } from './read.ts'
import type { Organization, OrganizationEvent } from './schema.ts'
import type { Uncertain } from './uncertain.ts'

export interface ValidEvent {
  file: OrganizationEvent
  /** Without its slug nobody knows which event of the database it is. */
  hasSlug: boolean
  places: Places
  uncertain: Uncertain
}

/** Holds the part of a file with faults that can be compared with a database. */
export interface ValidPart {
  account: Organization['account']
  /** They are left out if any has a fault. */
  series: Organization['series']
  /** Whether it is known which account it is. */
  hasEmail: boolean
  events: readonly ValidEvent[]
  /** The URLs of webhooks, by their paths. */
  urls: ReadonlyMap<string, string>
}

const PROGRAMME = ['call', 'review', 'reviewers', 'abstracts', 'submitters', 'programme']

interface Faulty {
  malformed: ReadonlySet<string>
  all: ReadonlySet<string>
}

/** Returns the file without its malformed items. */
export function validPart({ file, malformed, contradictions }: Form): ValidPart {
  const faulty: Faulty = {
    malformed: faultyPlaces(malformed),
    all: faultyPlaces([...malformed, ...contradictions]),
  }
  const { account, series, events, webhooks } = isObject<Organization>(file)
    ? file
    : ({} as Partial<Organization>)
  const urls = new Map<string, string>()
  for (const [index, webhook] of listed(webhooks)) {
    const path = `webhooks.${index}.url`
    if (!isObject<Organization['webhooks'][number]>(webhook) || faulty.all.has(path)) continue
    urls.set(path, webhook.url)
  }
  const valid: ValidEvent[] = []
  for (const [index, event] of listed(events)) {
    if (isObject<OrganizationEvent>(event)) valid.push(validEvent(event, `events.${index}`, faulty))
  }
  const isAccount = isObject<Organization['account']>(account)
  const stated = isAccount ? account : ({} as Organization['account'])
  return {
    account: faulty.all.has('account.slug') ? { ...stated, slug: undefined } : stated,
    hasEmail: isAccount && !faulty.all.has('account.email'),
    series: Array.isArray(series) && !faulty.all.has('series') ? series : [],
    events: valid,
    urls,
  }
}

function validEvent(event: OrganizationEvent, path: string, faulty: Faulty): ValidEvent {
  const { malformed, all } = faulty
  const wellFormed = <Item>(list: readonly Item[], name: string): Item[] =>
    Array.isArray(list) ? list.filter((_, index) => !malformed.has(`${path}.${name}.${index}`)) : []
  const places = new Places(path, event)
  const types = uncertainNames(
    event.registration_types,
    `${path}.registration_types`,
    faulty,
    hasUnknownCapacity,
  )
  const registrations = wellFormed(event.registrations, 'registrations')
  const refunds = all.has(`${path}.registrations`)
  return {
    file: {
      ...event,
      registration_types: wellFormed(event.registration_types, 'registration_types').filter(
        ({ name }) => !types.names.has(name),
      ),
      series: all.has('series') || all.has(`${path}.series`) ? undefined : event.series,
      email_texts: malformed.has(`${path}.email_texts`) ? {} : event.email_texts,
      pools: wellFormed(event.pools, 'pools'),
      questions: wellFormed(event.questions, 'questions'),
      codes: wellFormed(event.codes, 'codes'),
      orders: wellFormed(event.orders, 'orders'),
      registrations,
      waitlist: wellFormed(event.waitlist, 'waitlist'),
      reviewers: wellFormed(event.reviewers, 'reviewers'),
      abstracts: wellFormed(event.abstracts, 'abstracts'),
      submitters: wellFormed(event.submitters, 'submitters'),
      programme: all.has(`${path}.programme`) ? undefined : event.programme,
    },
    hasSlug: !all.has(`${path}.slug`),
    places,
    uncertain: {
      currency: all.has(`${path}.currency`) || (event.currency === undefined && all.has('account.currency')),
      types,
      pools: uncertainNames(event.pools, `${path}.pools`, faulty, ({ all }, place) => all.has(place)),
      codes: all.has(`${path}.codes`),
      registrations: new Set(
        refunds ? registrations.filter(item => all.has(places.of('registrations', item))) : [],
      ),
      refunds,
      programme: PROGRAMME.some(name => all.has(`${path}.${name}`)),
    },
  }
}

/** Returns whether the description of a type is malformed, or there are two of them. */
function hasUnknownCapacity({ malformed, all }: Faulty, place: string): boolean {
  return malformed.has(place) || all.has(`${place}.name`)
}

function uncertainNames(
  items: unknown,
  path: string,
  faulty: Faulty,
  isUncertain: (faulty: Faulty, place: string) => boolean,
): Uncertain['types'] {
  const { malformed } = faulty
  const names = new Set<string>()
  let any = malformed.has(path) && !Array.isArray(items)
  for (const [index, item] of listed(items)) {
    const place = `${path}.${index}`
    if (!isUncertain(faulty, place)) continue
    if (malformed.has(`${place}.name`) || !isObject<{ name: string }>(item)) any = true
    else names.add(item.name)
  }
  return { any, names }
}
