import type { Content } from '#product/programme/submissions/content.ts'

/** An author as visitors see them. */
export interface PublicAuthor {
  name: string
  /** The places of the affiliations in the list of the abstract, from 0. */
  affiliations: readonly number[]
  presenting: boolean
}

/**
 * An abstract as lists show it to visitors. One that was withdrawn, or is accepted no more, has its number and title alone.
 *
 * There are no e-mails, and no ORCID iDs: authors gave these to the organizer, to be told apart, and were not asked whether to
 * publish them.
 */
export interface PublicAbstract {
  number: string
  title: string
  /** Of the text, as BCP 47 has it. */
  language: string | null
  authors: readonly PublicAuthor[]
  affiliations: readonly string[]
  isWithdrawn: boolean
}

/** The text of an abstract, from the instant on from which it is public. */
export interface PublicText {
  sections: Content['sections']
  /** What was made of its formulas, as JSON. */
  formulas: string | null
  keywords: string | null
  topic: string | null
}

/** A part of a session. */
export interface PublicSlot {
  from: number
  to: number
  /** Of a part without an abstract, such as a welcome. */
  title: string | null
  abstract: PublicAbstract | null
}

export interface PublicSession {
  id: string
  /** It is null if the session was removed since it was published. */
  title: string | null
  about: string | null
  room: string | null
  /** The names of those who chair it. */
  chairs: readonly string[]
  from: number
  to: number
  slots: readonly PublicSlot[]
}

/** Where and when something stands in the programme. */
export type PublicPlace = Pick<PublicSession, 'id' | 'title' | 'room'> & Pick<PublicSlot, 'from' | 'to'>

/** What is public of a whole programme. */
export interface PublicFrame {
  /** The number of the version. */
  version: number
  /** When it was published, in milliseconds. */
  publishedAt: number
  /** Its days as `YYYY-MM-DD`, on which a session begins. */
  days: readonly string[]
  /** From when texts are public, in milliseconds, if that is still to come. */
  textsFrom: number | null
}
