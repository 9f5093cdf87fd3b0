import { setImmediate } from 'node:timers/promises'
import type { Reader } from '#machinery/db/batches.ts'
import { readAuthors } from '#product/programme/abstracts/schemas.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { keysOf, People, type Person, toPerson } from '#product/programme/timetable/people.ts'
import * as versions from '#product/programme/versions/rules.ts'
import type { Language } from '#texts/languages.ts'
import * as store from './store.ts'

/** Somebody in the index of a book. */
export interface IndexedAuthor {
  /** As it is sorted: the family name first. */
  name: string
  /** The numbers of what they have written, in the order of the book. */
  numbers: readonly string[]
}

/** An abstract of the book. */
export interface Numbered {
  id: string
  number: string
}

/** A read gets this many abstracts. Others get their turn after each. */
const SLICE = 25

interface Named extends Person {
  /** The family name first. */
  sorted: string
}

interface Group {
  name: string
  numbers: string[]
}

/**
 * Returns who has written the abstracts of a book. People are one by what chairs have said, else by their ORCID iDs, else by their
 * e-mails, else by name and first affiliation; none of that but the name is shown. They are sorted by family name in a language.
 */
export async function indexAuthors(
  reader: Reader,
  { accountId, eventId }: { accountId: string; eventId: string },
  all: readonly Numbered[],
  language: Language,
): Promise<IndexedAuthor[]> {
  const groups: Group[] = []
  const people = new People(await reader.read(accountId, tx => versions.listVerdicts(tx, eventId)))
  const buckets = new Map<string, { person: Named; group: Group }[]>()
  for (let at = 0; at < all.length; at += SLICE) {
    const some = all.slice(at, at + SLICE)
    const ids = some.map(({ id }) => id)
    const rows = await reader.read(accountId, tx => store.listAuthors(tx, eventId, ids))
    const of = new Map(rows.map(row => [row.id, row]))
    for (const { id, number } of some) {
      const row = of.get(id)
      for (const person of row === undefined ? [] : peopleOf(row))
        add(person, number, { people, groups, buckets })
    }
    await setImmediate()
  }
  const { compare } = new Intl.Collator(language)
  return sortInTurns(groups, (one, other) => compare(one.name, other.name))
}

/** So many are sorted at a time. */
const RUN = 250

/** Sorts as `toSorted` does. Others get their turn meanwhile: to compare names by a language takes long. */
async function sortInTurns<Of>(all: readonly Of[], compare: (one: Of, other: Of) => number): Promise<Of[]> {
  let runs: Of[][] = []
  for (let at = 0; at < all.length; at += RUN) {
    runs.push(all.slice(at, at + RUN).sort(compare))
    await setImmediate()
  }
  while (runs.length > 1) {
    const merged: Of[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(merge(runs[at] as Of[], runs[at + 1] ?? [], compare))
      await setImmediate()
    }
    runs = merged
  }
  return runs[0] ?? []
}

function merge<Of>(
  before: readonly Of[],
  after: readonly Of[],
  compare: (one: Of, other: Of) => number,
): Of[] {
  const merged: Of[] = []
  let next = 0
  for (const one of before) {
    while (next < after.length && compare(after[next] as Of, one) < 0) merged.push(after[next++] as Of)
    merged.push(one)
  }
  return [...merged, ...after.slice(next)]
}

interface Found {
  people: People
  groups: Group[]
  buckets: Map<string, { person: Named; group: Group }[]>
}

function add(person: Named, number: string, { people, groups, buckets }: Found): void {
  const keys = keysOf(person)
  const known = keys.flatMap(key => buckets.get(key) ?? []).find(each => people.areOne(each.person, person))
  const group = known?.group ?? { name: person.sorted, numbers: [] }
  if (known === undefined) groups.push(group)
  if (group.numbers.at(-1) !== number) group.numbers.push(number)
  for (const key of keys) {
    const bucket = buckets.get(key)
    if (bucket === undefined) buckets.set(key, [{ person, group }])
    else bucket.push({ person, group })
  }
}

function peopleOf({ authors, content }: store.AuthorsRow): Named[] {
  if (content !== null) {
    const { authors: sent, affiliations } = JSON.parse(content) as Pick<Content, 'authors' | 'affiliations'>
    return sent.map(({ given, family, email, orcid, affiliations: [first] }) => {
      const name = [given, family].filter(Boolean).join(' ')
      const sorted = [family, given].filter(Boolean).join(', ')
      return { ...toPerson({ name, email, orcid }, affiliations[first ?? -1] ?? null), sorted }
    })
  }
  return readAuthors({ authors }).map(author => ({
    ...toPerson(author, author.affiliations[0] ?? null),
    sorted: familyFirst(author.name),
  }))
}

/** Returns the last word of a name first, as nobody has said which part is the family's. */
function familyFirst(name: string): string {
  const words = name.split(' ')
  return words.length < 2 ? name : `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`
}
