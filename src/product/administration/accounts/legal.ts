import * as v from 'valibot'
import * as fields from '#base/fields.ts'
import { webAddress } from '#machinery/web/web-address.ts'

/** What a seller publishes beside what is sold. Each is a text that is written here, or a page elsewhere. */
export const legalKinds = ['imprint', 'privacy', 'terms'] as const
export type LegalKind = (typeof legalKinds)[number]

/** Returns whether each line of a text stays a line. An imprint is mostly an address. */
export const hasLines = (kind: LegalKind) => kind === 'imprint'

/** Tells whether a text still has passages in brackets that its draft leaves to be filled in. A link of Markdown is none. */
export function hasGaps(text: string | null): boolean {
  return text !== null && /(?<!\])\[[^[\]\n]+\](?![([:])/.test(text)
}

/** The most characters of a text. */
export const MAX_LEGAL_TEXT = 50_000

export const legalLinkFields = {
  imprint_url: v.nullable(webAddress),
  privacy_url: v.nullable(webAddress),
  terms_url: v.nullable(webAddress),
}

const markdown = v.nullable(fields.text(MAX_LEGAL_TEXT, 1))

export const legalTextFields = { imprint_text: markdown, privacy_text: markdown, terms_text: markdown }

export type LegalLinks = { [Name in keyof typeof legalLinkFields]: string | null }
export type LegalTexts = { [Name in keyof typeof legalTextFields]: string | null }

export const NO_LEGAL_TEXTS: LegalTexts = { imprint_text: null, privacy_text: null, terms_text: null }

export const linkName = (kind: LegalKind) => `${kind}_url` as const
export const textName = (kind: LegalKind) => `${kind}_text` as const

/** Texts and links that somebody gives. What is undefined was left out. */
export type GivenLegal = { [Name in keyof (LegalLinks & LegalTexts)]?: string | null | undefined }

/** Returns the kinds for which both a text and a link are given. Only one of the two can be kept. */
export function listDoubled(given: GivenLegal): LegalKind[] {
  return legalKinds.filter(kind => isGiven(given[linkName(kind)]) && isGiven(given[textName(kind)]))
}

/**
 * Returns the texts and links that an account will have. A text that is given takes the place of a link, and a link that of a
 * text. What is left out stays as it is, and null removes it.
 */
export function mergeLegal(
  { imprint_url, privacy_url, terms_url, imprint_text, privacy_text, terms_text }: LegalLinks & LegalTexts,
  given: GivenLegal,
): LegalLinks & LegalTexts {
  const merged = { imprint_url, privacy_url, terms_url, imprint_text, privacy_text, terms_text }
  for (const kind of legalKinds) {
    const [link, text] = [linkName(kind), textName(kind)]
    const [url, written] = [given[link], given[text]]
    if (url !== undefined) merged[link] = url
    if (written !== undefined) merged[text] = written
    if (isGiven(written)) merged[link] = null
    else if (isGiven(url)) merged[text] = null
  }
  return merged
}

const isGiven = (value: string | null | undefined) => value !== null && value !== undefined

/** A legal text as visitors find it. */
export interface LegalPage {
  kind: LegalKind
  /** The page elsewhere. It is null if the text is written here. */
  url: string | null
}

/** Lists what visitors find of an account, in the order in which it is shown. */
export function listLegalPages(account: LegalLinks & { written: readonly LegalKind[] }): LegalPage[] {
  return legalKinds.flatMap(kind => {
    const url = account[linkName(kind)]
    return url === null && !account.written.includes(kind) ? [] : [{ kind, url }]
  })
}

/** Returns the path of a text that is written here. No event has it, because a slug has no dot. @param account its slug */
export function legalPath(account: string, kind: LegalKind): string {
  return `/${account}/${kind}.html`
}
