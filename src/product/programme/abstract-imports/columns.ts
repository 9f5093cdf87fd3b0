import { fold } from '#base/fold.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { askedOf } from '#product/programme/submissions/answers.ts'

/** The columns of a table with abstracts, beside one for each section of the text. */
export const columns = [
  ...['reference', 'title', 'text', 'keywords', 'topic', 'kind', 'language'],
  ...['authors', 'affiliations', 'presenter', 'name', 'email', 'phone'],
] as const

export type Column = (typeof columns)[number]

/** What a column fills: one of the fields, a section of the text by its place, or the answer to a question by its id. */
export type Target = Column | { section: number } | { question: string } | null

/**
 * The names that columns are known by. Those of the template come first, in English and Spanish, and then those of the exports of
 * Indico and pretalx.
 */
export const names: Readonly<Record<Column, readonly string[]>> = {
  reference: ['reference', 'referencia', 'id', 'code', 'código'],
  title: ['title', 'título', 'proposal title', 'abstract title'],
  text: ['text', 'texto', 'abstract', 'resumen', 'content', 'contenido'],
  keywords: ['keywords', 'palabras clave', 'tags'],
  topic: ['topic', 'tema', 'track', 'submitted for tracks'],
  kind: ['kind', 'tipo', 'session type', 'submitted type', 'kind of contribution', 'tipo de contribución'],
  language: ['language', 'idioma'],
  authors: ['authors', 'autores', 'speaker names', 'speakers', 'primary authors'],
  affiliations: ['affiliations', 'afiliaciones'],
  presenter: ['presenter', 'presenta'],
  name: ['name', 'nombre', 'submitter', 'contact', 'contacto'],
  email: ['email', 'correo', 'correo electrónico', 'submitter email', 'contact email', 'speaker emails'],
  phone: ['telephone', 'teléfono', 'phone'],
}

const byName = new Map(columns.flatMap(column => names[column].map(name => [plain(name), column] as const)))

/** Counts the columns that are known by these names. */
export function countRecognized(headers: readonly string[]): number {
  return new Set(headers.map(header => byName.get(plain(header))).filter(Boolean)).size
}

/** Returns what each column fills. A name that stands twice counts where it stands first. */
export function readColumns(
  headers: readonly string[],
  call: Pick<Call, 'sections' | 'questions'>,
): Target[] {
  const ofSections = new Map(call.sections.map((heading, section) => [plain(heading), { section }]))
  const ofQuestions = new Map(askedOf(call).map(({ id, label }) => [plain(label), { question: id }]))
  const taken = new Set<string>()
  return headers.map(header => {
    const name = plain(header)
    const target = ofSections.get(name) ?? byName.get(name) ?? ofQuestions.get(name) ?? null
    const key = JSON.stringify(target)
    if (target === null || taken.has(key)) return null
    taken.add(key)
    return target
  })
}

/** Removes case, marks and punctuation. */
function plain(header: string): string {
  return fold(header.slice(0, 200))
    .replace(/\be-?mails?\b/g, word => (word.endsWith('s') ? 'emails' : 'email'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
