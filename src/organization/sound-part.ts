import { faultyPlaces, isObject, listed } from './check.ts'
import type { Doubts } from './doubts.ts'
import { Places } from './places.ts'
import type { Form } from './read.ts'
import type { Organization, OrganizationEvent, OrganizationType } from './schema.ts'

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
  return {
    account: isAccount ? account : ({} as Organization['account']),
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
  const types = doubtfulTypes(event.registration_types, `${path}.registration_types`, faulty)
  const registrations = wellFormed(event.registrations, 'registrations')
  const refunds = all.has(`${path}.registrations`)
  return {
    file: {
      ...event,
      registration_types: wellFormed(event.registration_types, 'registration_types').filter(
        ({ name }) => !types.names.has(name),
      ),
      registrations,
      waitlist: wellFormed(event.waitlist, 'waitlist'),
      abstracts: [],
    },
    hasSlug: !all.has(`${path}.slug`),
    places,
    doubts: {
      currency: all.has(`${path}.currency`) || (event.currency === undefined && all.has('account.currency')),
      types,
      registrations: new Set(
        refunds ? registrations.filter(item => all.has(places.of('registrations', item))) : [],
      ),
      refunds,
    },
  }
}

/** Those whose description is malformed, and those that have two. */
function doubtfulTypes(types: unknown, path: string, { malformed, all }: Faulty): Doubts['types'] {
  const names = new Set<string>()
  let any = malformed.has(path) && !Array.isArray(types)
  for (const [index, type] of listed(types)) {
    const place = `${path}.${index}`
    if (!malformed.has(place) && !all.has(`${place}.name`)) continue
    if (malformed.has(`${place}.name`) || !isObject<OrganizationType>(type)) any = true
    else names.add(type.name)
  }
  return { any, names }
}
