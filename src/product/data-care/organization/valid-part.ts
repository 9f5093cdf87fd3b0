import { faultyPlaces, isObject, listed } from './check.ts'
import type { Doubts } from './doubts.ts'
import { Places } from './places.ts'
import type { Form } from './read.ts'
import type { Organization, OrganizationEvent } from './schema.ts'

export interface SoundEvent {
  file: OrganizationEvent
  /** Without it nobody knows which event of the database it is. */
  hasSlug: boolean
  places: Places
  doubts: Doubts
}

/** What can be held against a database of a file with faults. */
export interface SoundPart {
  account: Organization['account']
  /** Whether it is known which account it is. */
  hasEmail: boolean
  events: readonly SoundEvent[]
  /** The URLs of webhooks, by the path. */
  urls: ReadonlyMap<string, string>
}

interface Faulty {
  malformed: ReadonlySet<string>
  all: ReadonlySet<string>
}

/** Leaves out the items that are malformed. */
export function soundPart({ file, malformed, contradictions }: Form): SoundPart {
  const faulty: Faulty = {
    malformed: faultyPlaces(malformed),
    all: faultyPlaces([...malformed, ...contradictions]),
  }
  const { account, events, webhooks } = isObject<Organization>(file) ? file : ({} as Partial<Organization>)
  const urls = new Map<string, string>()
  for (const [index, webhook] of listed(webhooks)) {
    const path = `webhooks.${index}.url`
    if (!isObject<Organization['webhooks'][number]>(webhook) || faulty.all.has(path)) continue
    urls.set(path, webhook.url)
  }
  const sound: SoundEvent[] = []
  for (const [index, event] of listed(events)) {
    if (isObject<OrganizationEvent>(event)) sound.push(soundEvent(event, `events.${index}`, faulty))
  }
  const isAccount = isObject<Organization['account']>(account)
  const known = isAccount ? account : ({} as Organization['account'])
  return {
    account: faulty.all.has('account.slug') ? { ...known, slug: undefined } : known,
    hasEmail: isAccount && !faulty.all.has('account.email'),
    events: sound,
    urls,
  }
}

function soundEvent(event: OrganizationEvent, path: string, faulty: Faulty): SoundEvent {
  const { malformed, all } = faulty
  const wellFormed = <Item>(list: readonly Item[], name: string): Item[] =>
    Array.isArray(list) ? list.filter((_, index) => !malformed.has(`${path}.${name}.${index}`)) : []
  const places = new Places(path, event)
  const types = doubtfulNames(
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
      email_texts: malformed.has(`${path}.email_texts`) ? {} : event.email_texts,
      pools: wellFormed(event.pools, 'pools'),
      questions: wellFormed(event.questions, 'questions'),
      codes: wellFormed(event.codes, 'codes'),
      orders: wellFormed(event.orders, 'orders'),
      registrations,
      waitlist: wellFormed(event.waitlist, 'waitlist'),
      abstracts: [],
    },
    hasSlug: !all.has(`${path}.slug`),
    places,
    doubts: {
      currency: all.has(`${path}.currency`) || (event.currency === undefined && all.has('account.currency')),
      types,
      pools: doubtfulNames(event.pools, `${path}.pools`, faulty, ({ all }, place) => all.has(place)),
      codes: all.has(`${path}.codes`),
      registrations: new Set(
        refunds ? registrations.filter(item => all.has(places.of('registrations', item))) : [],
      ),
      refunds,
    },
  }
}

/** Of a type whose description is malformed, or that has two. */
function hasUnknownCapacity({ malformed, all }: Faulty, place: string): boolean {
  return malformed.has(place) || all.has(`${place}.name`)
}

function doubtfulNames(
  items: unknown,
  path: string,
  faulty: Faulty,
  isDoubtful: (faulty: Faulty, place: string) => boolean,
): Doubts['types'] {
  const { malformed } = faulty
  const names = new Set<string>()
  let any = malformed.has(path) && !Array.isArray(items)
  for (const [index, item] of listed(items)) {
    const place = `${path}.${index}`
    if (!isDoubtful(faulty, place)) continue
    if (malformed.has(`${place}.name`) || !isObject<{ name: string }>(item)) any = true
    else names.add(item.name)
  }
  return { any, names }
}
