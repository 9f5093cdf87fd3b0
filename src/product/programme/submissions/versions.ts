import * as v from 'valibot'
import type { ReadTx } from '#machinery/db/port.ts'
import { readRevision, type SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import { type Content, contentSchema } from './content.ts'
import { type Formulas, readFormulas } from './formulas.ts'

/** Returns what a version of an abstract says, with its formulas. @throws Problem not_found */
export async function readVersion(
  tx: ReadTx,
  of: Pick<SubmittedAbstract, 'id' | 'revision'>,
): Promise<{ content: Content; formulas: Formulas }> {
  const { content, formulas } = await readRevision(tx, of)
  return { content: v.parse(contentSchema, content), formulas: readFormulas(formulas) }
}

const parts = {
  title: ({ title }) => title,
  authors: ({ authors, affiliations }) => [authors, affiliations],
  keywords: ({ keywords }) => keywords,
  topic: ({ topic_id }) => topic_id,
  kind: ({ kind_id }) => kind_id,
  language: ({ language }) => language,
  contact: ({ contact }) => contact,
  answers: ({ answers }) => answers,
} as const satisfies Record<string, (content: Content) => unknown>

/** What two versions differ in. */
export interface Differences {
  parts: (keyof typeof parts)[]
  /** The headings of the sections whose text differs, or that only one has. It is empty for a text that is one. */
  sections: string[]
}

export function findDifferences(was: Content, is: Content): Differences {
  const isOther = (read: (content: Content) => unknown) =>
    JSON.stringify(read(was)) !== JSON.stringify(read(is))
  const headings = new Set([...is.sections, ...was.sections].map(({ heading }) => heading))
  const textOf = (sought: string) => (content: Content) =>
    content.sections.find(({ heading }) => heading === sought)?.text
  return {
    parts: (Object.keys(parts) as (keyof typeof parts)[]).filter(part => isOther(parts[part])),
    sections: [...headings].filter(heading => isOther(textOf(heading))),
  }
}
