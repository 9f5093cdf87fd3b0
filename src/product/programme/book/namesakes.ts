import { Problem } from '#base/problem.ts'
import { ERASED_NAME } from '#base/words.ts'
import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { readAuthors } from '#product/programme/abstracts/schemas.ts'
import { fingerprintOf, keysOf, People, type Person, toPerson } from '#product/programme/timetable/people.ts'
import * as versions from '#product/programme/versions/rules.ts'
import type { Verdict } from '#product/programme/versions/schemas.ts'
import * as store from './store.ts'

/** So many pairs are found. Whoever has more begins with these. */
export const MOST_PAIRS = 200
/** People with one name or one e-mail are compared with so many others of it. */
const MOST_ALIKE = 50

/** Somebody who has written accepted abstracts. */
export interface Namesake {
  name: string
  email: string | null
  orcid: string | null
  affiliation: string | null
  abstracts: { id: string; code: string }[]
  fingerprint: string
}

/** Two who may be one person. */
export interface Pair {
  one: Namesake
  other: Namesake
  /** Whether the index of the book and the warnings take them for one. */
  areOne: boolean
  /** Whether chairs have said so. */
  isJudged: boolean
}

/**
 * Finds authors of accepted abstracts who may be one person, or two: by one name without the same ORCID iD or e-mail, or by one e-mail
 * with two names. Whoever has two ORCID iDs is two.
 *
 * @returns those of whom chairs have said nothing first, at most `MOST_PAIRS`
 */
export async function listPairs(tx: ReadTx, eventId: string): Promise<Pair[]> {
  const people = new People(await versions.listVerdicts(tx, eventId))
  const buckets = new Map<string, Known[]>()
  const all = [...(await listKnown(tx, eventId)).values()]
  all.sort((one, other) => (one.person.folded < other.person.folded ? -1 : 1))
  for (const each of all) {
    for (const key of keysOf(each.person)) {
      const some = buckets.get(key)
      if (some === undefined) buckets.set(key, [each])
      else if (some.length < MOST_ALIKE) some.push(each)
    }
  }
  const pairs = new Map<string, Pair>()
  for (const some of buckets.values()) {
    for (const [at, one] of some.entries()) {
      for (const other of some.slice(at + 1)) {
        if (isCertain(one.person, other.person)) continue
        const verdict = people.verdictOn(one.person, other.person)
        pairs.set([one.person.known, other.person.known].join('\0'), {
          ...{ one: toNamesake(one), other: toNamesake(other) },
          ...{ areOne: people.areOne(one.person, other.person), isJudged: verdict !== undefined },
        })
      }
    }
  }
  return [...pairs.values()]
    .sort((one, other) => Number(one.isJudged) - Number(other.isJudged))
    .slice(0, MOST_PAIRS)
}

/**
 * Says of two authors that they are one person, that they are two, or, by null, nothing any more.
 *
 * @throws Problem seen_changed if they are no pair of those that are found
 */
export async function judge(
  tx: WriteTx,
  eventId: string,
  { one, other, same }: { one: string; other: string; same: boolean | null },
): Promise<void> {
  const isOf = (pair: { one: string; other: string }) =>
    (pair.one === one && pair.other === other) || (pair.one === other && pair.other === one)
  const pairs = await listPairs(tx, eventId)
  if (!pairs.some(pair => isOf({ one: pair.one.fingerprint, other: pair.other.fingerprint })))
    throw new Problem('seen_changed')
  const others = (await listLive(tx, eventId)).filter(verdict => !isOf(verdict))
  await versions.setVerdicts(tx, eventId, same === null ? others : [...others, { one, other, same }])
}

/** Forgets what chairs have said of people who are no authors any more, as after their erasure. */
export async function forgetGone(db: Pick<Database, 'read' | 'write'>, accountId: string): Promise<void> {
  for (const eventId of await db.read(accountId, versions.listWithVerdicts)) {
    await db.write(accountId, async tx => versions.setVerdicts(tx, eventId, await listLive(tx, eventId)))
  }
}

/** Lists what chairs have said of those who still are authors. */
async function listLive(tx: ReadTx, eventId: string): Promise<Verdict[]> {
  const known = await listKnown(tx, eventId)
  const verdicts = await versions.listVerdicts(tx, eventId)
  const live = new Set([...known.values()].map(({ person }) => fingerprintOf(person)))
  return verdicts.filter(({ one, other }) => live.has(one) && live.has(other))
}

interface Known {
  person: Person
  namesake: Omit<Namesake, 'fingerprint'>
}

/** Only those who are shown need a fingerprint. */
function toNamesake({ person, namesake }: Known): Namesake {
  return { ...namesake, fingerprint: fingerprintOf(person) }
}

/** Lists the authors of accepted abstracts by what they are known by. */
async function listKnown(tx: ReadTx, eventId: string): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  for (const { id, code, authors } of await store.listAccepted(tx, eventId)) {
    for (const author of readAuthors({ authors })) {
      if (author.name === ERASED_NAME) continue
      const [affiliation = null] = author.affiliations
      const person = toPerson(author, affiliation)
      const there = known.get(person.known)
      if (there !== undefined) there.namesake.abstracts.push({ id, code })
      else {
        const { name, email, orcid } = author
        const namesake = { name, email, orcid, affiliation, abstracts: [{ id, code }] }
        known.set(person.known, { person, namesake })
      }
    }
  }
  return known
}

/** Returns whether nobody has to say what two are. */
function isCertain(one: Person, other: Person): boolean {
  if (one.orcid !== null && other.orcid !== null) return true
  // Many write their given names in several ways.
  return one.email !== null && one.email === other.email && lastWord(one) === lastWord(other)
}

function lastWord({ folded }: Person): string | undefined {
  return folded.split(' ').at(-1)
}
