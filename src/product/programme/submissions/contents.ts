import { unlessMissing } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { Content } from './content.ts'
import { findNamed } from './named.ts'
import { readVersion } from './versions.ts'

/** The abstracts of one read. Their texts are large. */
const READ = 50

/** Reads what abstracts say now, by their ids. What only a file has brought, or is gone meanwhile, is left out. */
export function readContents(
  reader: Reader,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  return reader.read(accountId, async tx => {
    const contents = new Map<string, Content>()
    for (const id of ids) {
      const content = await readContent(tx, id)
      if (content !== undefined) contents.set(id, content)
    }
    return contents
  })
}

async function readContent(tx: ReadTx, id: string): Promise<Content | undefined> {
  const abstract = await unlessMissing(getSubmitted(tx, id))
  return abstract === undefined || abstract.revision === 0
    ? undefined
    : (await readVersion(tx, abstract)).content
}

/** Returns those of the abstracts whose text tells who has written it, as `findNamed` finds it. */
export async function readNamed(
  reader: Reader,
  accountId: string,
  ids: readonly string[],
  call: Pick<Call, 'questions'>,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>()
  for (let at = 0; at < ids.length; at += READ) {
    const contents = await readContents(reader, accountId, ids.slice(at, at + READ))
    for (const [id, content] of contents) if (findNamed(content, call).length > 0) named.add(id)
  }
  return named
}
