import * as v from 'valibot'
import type { Reader } from '#machinery/db/batches.ts'
import { storedAuthorsSchema } from '#product/programme/abstracts/schemas.ts'
import { contentSchema, hasAuthorsOf, keywordsOf, textOf } from '#product/programme/submissions/content.ts'
import { type RevisedRow, walkRevised } from './abstract-store.ts'
import { parseJson } from './form-kinds.ts'

/** Finds abstracts that say something else than what was sent last. */
export async function* findBadAbstracts(reader: Reader): AsyncGenerator<string> {
  for await (const rows of walkRevised(reader)) {
    for (const row of rows) {
      const content = v.safeParse(contentSchema, parseJson(row.content))
      if (!content.success) yield `the newest revision of abstract ${row.id} is not what can be sent`
      else if (!isSame(row, content.output)) yield `abstract ${row.id} differs from its newest revision`
    }
  }
}

function isSame(row: RevisedRow, content: v.InferOutput<typeof contentSchema>): boolean {
  const authors = v.safeParse(storedAuthorsSchema, parseJson(row.authors))
  return (
    // Another look says that these are none.
    (!authors.success || hasAuthorsOf(authors.output, content)) &&
    row.title === content.title &&
    row.abstract === textOf(content.sections) &&
    row.keywords === keywordsOf(content) &&
    // Of what a file has brought, nobody knows the language.
    (row.language ?? '') === content.language &&
    row.topic_id === content.topic_id &&
    row.kind_id === content.kind_id
  )
}
