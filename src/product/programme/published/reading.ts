import { fold } from '#base/fold.ts'
import { LocalDays } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import * as versions from '#product/programme/versions/rules.ts'
import {
  type Frozen,
  type FrozenPlace,
  type FrozenSession,
  placesIn,
} from '#product/programme/versions/schemas.ts'
import type {
  PublicAbstract,
  PublicFrame,
  PublicPlace,
  PublicSession,
  PublicSlot,
  PublicText,
} from './schemas.ts'
import * as store from './store.ts'

/** The event whose programme is read, as far as that takes it. */
export interface Of {
  eventId: string
  timezone: string
  now: number
}

/**
 * Reads the public programme of an event. Whatever visitors see of a programme comes from here, by the columns that the store names
 * and the fields that the schemas name: nothing else of an abstract is read for them.
 */
export class PublicProgramme {
  readonly frame: PublicFrame
  readonly #of: Of
  readonly #content: Frozen
  readonly #names: versions.Names
  /** They are worked out once, as a book asks for those of each abstract. */
  #places: ReadonlyMap<string, readonly FrozenPlace[]> | undefined

  private constructor(of: Of, content: Frozen, names: versions.Names, frame: PublicFrame) {
    this.frame = frame
    this.#of = of
    this.#content = content
    this.#names = names
  }

  /** @returns undefined while none is public */
  static async open(tx: ReadTx, of: Of): Promise<PublicProgramme | undefined> {
    const version = await versions.findPublished(tx, of.eventId)
    if (version === undefined) return undefined
    const { texts_from } = await versions.getState(tx, of.eventId)
    const textsFrom = texts_from !== null && of.now < texts_from ? texts_from : null
    return PublicProgramme.#make(tx, of, version, textsFrom)
  }

  /** Opens a programme for those who build it, as it would be published: with all texts. */
  static draft(tx: ReadTx, of: Of, content: Frozen): Promise<PublicProgramme> {
    return PublicProgramme.#make(tx, of, { number: 0, content, created_at: of.now }, null)
  }

  static async #make(
    tx: ReadTx,
    of: Of,
    { number, content, created_at }: { number: number; content: Frozen; created_at: number },
    textsFrom: number | null,
  ): Promise<PublicProgramme> {
    const local = new LocalDays(of.timezone)
    const days = [...new Set(content.sessions.map(({ from }) => local.of(from).date))].sort()
    const frame = { version: number, publishedAt: created_at, days, textsFrom }
    return new PublicProgramme(of, content, await versions.readNames(tx, of.eventId), frame)
  }

  /** Whether texts are public already. */
  get hasTexts(): boolean {
    return this.frame.textsFrom === null
  }

  /** Reads the sessions of a day. */
  readDay(tx: ReadTx, day: string): Promise<PublicSession[]> {
    const local = new LocalDays(this.#of.timezone)
    return this.#read(
      tx,
      this.#content.sessions.filter(({ from }) => local.of(from).date === day),
    )
  }

  /** Reads all sessions. */
  readAll(tx: ReadTx): Promise<PublicSession[]> {
    return this.#read(tx, this.#content.sessions)
  }

  /** @returns undefined for a session that is not in it */
  async readSession(tx: ReadTx, id: string): Promise<PublicSession | undefined> {
    return (
      await this.#read(
        tx,
        this.#content.sessions.filter(session => session.id === id),
      )
    )[0]
  }

  async #read(tx: ReadTx, sessions: readonly FrozenSession[]): Promise<PublicSession[]> {
    const ids = sessions.flatMap(({ slots }) => slots.flatMap(({ abstract_id }) => abstract_id ?? []))
    const abstracts = await this.#list(tx, [...new Set(ids)])
    return sessions.map(session => ({ ...this.#present(session), slots: this.#slotsOf(session, abstracts) }))
  }

  #present({ id, room_id, from, to }: FrozenSession): Omit<PublicSession, 'slots'> {
    const { title = null, about = null, chairs = [] } = this.#names.sessions.get(id) ?? {}
    const room = room_id === null ? null : (this.#names.rooms.get(room_id) ?? null)
    return { id, title, about, room, chairs, from, to }
  }

  #slotsOf({ slots }: FrozenSession, abstracts: ReadonlyMap<string, PublicAbstract>): PublicSlot[] {
    return slots.flatMap(({ id, from, to, abstract_id }): PublicSlot[] => {
      if (abstract_id === null) {
        const title = this.#names.texts.get(id)
        return title === undefined ? [] : [{ from, to, title, abstract: null }]
      }
      const abstract = abstracts.get(abstract_id)
      return abstract === undefined ? [] : [{ from, to, title: null, abstract }]
    })
  }

  async #list(tx: ReadTx, ids: readonly string[]): Promise<Map<string, PublicAbstract>> {
    const rows = await store.listAbstracts(tx, this.#of.eventId, ids)
    return new Map(rows.map(row => [row.id, presentAbstract(row, this.#content.numbers[row.id] ?? '')]))
  }

  /** Returns the ids of the abstracts that have a place in it, in its order. */
  listIds(): string[] {
    return [...this.#allPlaces().keys()]
  }

  #allPlaces(): ReadonlyMap<string, readonly FrozenPlace[]> {
    this.#places ??= placesIn(this.#content)
    return this.#places
  }

  /** Returns the number of an abstract. */
  numberOf(id: string): string {
    return this.#content.numbers[id] ?? ''
  }

  /** Returns the id of the abstract with a number, whatever the case of its letter. @returns undefined if it has no place */
  findId(number: string): string | undefined {
    const wanted = number.toUpperCase()
    return this.listIds().find(id => this.#content.numbers[id] === wanted)
  }

  /** Returns where and when an abstract stands. */
  placesOf(id: string): PublicPlace[] {
    return (this.#allPlaces().get(id) ?? []).map(({ session, slot }) => {
      const { title, room } = this.#present(session)
      return { id: session.id, title, room, from: slot.from, to: slot.to }
    })
  }

  /** Finds which of these abstracts may have words in what is public of them. Some that are found have a word elsewhere. */
  async findMaybe(tx: ReadTx, ids: readonly string[], words: readonly string[]): Promise<string[]> {
    // Within JSON these letters are written otherwise than in a name.
    const plain = words.filter(word => !/["\\]/.test(word))
    const rows = await store.listSearched(tx, this.#of.eventId, ids, this.hasTexts)
    const may = rows.filter(({ id, ...row }) => {
      const all = fold([this.numberOf(id), ...Object.values(row)].join('\n'))
      return plain.every(word => all.includes(word))
    })
    const found = new Set(may.map(({ id }) => id))
    return ids.filter(id => found.has(id))
  }

  /** Reads abstracts by their ids, with their texts if these are public. Those that were withdrawn have none. */
  async readAbstracts(
    tx: ReadTx,
    ids: readonly string[],
  ): Promise<Map<string, PublicAbstract & { text: PublicText | null }>> {
    const listed = await this.#list(tx, ids)
    const standing = ids.filter(id => listed.get(id)?.isWithdrawn === false)
    const texts = this.hasTexts ? await this.#readTexts(tx, standing) : new Map<string, PublicText>()
    return new Map(
      [...listed].map(([id, abstract]) => [id, { ...abstract, text: texts.get(id) ?? null }] as const),
    )
  }

  async #readTexts(tx: ReadTx, ids: readonly string[]): Promise<Map<string, PublicText>> {
    const topics = (await calls.find(tx, this.#of.eventId))?.topics ?? []
    const rows = await store.listTexts(tx, this.#of.eventId, ids)
    return new Map(
      rows.map(({ id, abstract, keywords, topic_id, content, formulas }) => {
        const topic = topics.find(each => each.id === topic_id)?.name ?? null
        return [id, { sections: sectionsOf(content, abstract), formulas, keywords, topic }] as const
      }),
    )
  }
}

function sectionsOf(content: string | null, text: string): Content['sections'] {
  if (content === null) return [{ heading: '', text }]
  const { sections } = JSON.parse(content) as Pick<Content, 'sections'>
  return sections.map(section => ({ heading: section.heading, text: section.text }))
}

/** What is read of an author. Rows have more, which stays there. */
interface StoredAuthor {
  name: string
  affiliation: string | null
  affiliations?: string[]
  presenting: boolean
}

function presentAbstract(row: store.ListedRow, number: string): PublicAbstract {
  const { title, language, status, withdrawn_at } = row
  const isWithdrawn = status !== 'accepted' || withdrawn_at !== null
  if (isWithdrawn) return { number, title, language, authors: [], affiliations: [], isWithdrawn }
  const stored = JSON.parse(row.authors) as StoredAuthor[]
  const affiliations = new Map<string, number>()
  const place = (name: string): number => {
    if (!affiliations.has(name)) affiliations.set(name, affiliations.size)
    return affiliations.get(name) as number
  }
  const authors = stored.map(author => ({
    name: author.name,
    affiliations: (author.affiliations ?? (author.affiliation === null ? [] : [author.affiliation])).map(
      place,
    ),
    presenting: author.presenting,
  }))
  return { number, title, language, authors, affiliations: [...affiliations.keys()], isWithdrawn }
}
