import { DAY } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as calls from '#product/programme/calls/rules.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { giveTime } from '#product/programme/submissions/submitters.ts'

/** Opens a call with texts that are hard to show, and submits such an abstract to it. */
export async function submitHard(
  tx: WriteTx,
  eventId: string,
  { unbroken, arabic, markup }: Record<'unbroken' | 'arabic' | 'markup', string>,
): Promise<void> {
  const sections = [unbroken.slice(0, 100), markup]
  const kinds = [{ name: unbroken.slice(0, 100), minutes: 1440, poster: false }]
  const anew = calls.defaultsAt(tx.clock(), 'UTC')
  const said = { about: markup, sections, kinds, topics: [unbroken, arabic, markup] }
  const { topics, kinds: kept } = await calls.put(tx, eventId, { ...anew, ...said })
  const arrival = { begunAt: tx.clock() }
  const person = { name: unbroken, email: `${'long'.repeat(14)}@example.org`, language: 'en' } as const
  const begun = { ...person, draft: { typed: {}, authors: 1, affiliations: 1 }, arrival, networks: [] }
  const first = await submissions.begin(tx, eventId, { ...begun, formId: 'form', seen: 0 })
  if (first.is !== 'begun') throw new Error(first.is)
  const { submission, submitter } = first.begun
  await submissions.begin(tx, eventId, { ...begun, formId: 'another', seen: 0 })
  await giveTime(tx, submitter.id, tx.clock() + 300 * DAY)
  const author = { email: null, orcid: null, affiliations: [0, 1], presenting: true }
  const content = {
    ...{ title: unbroken, keywords: [unbroken.slice(0, 100), markup], language: 'ar' },
    ...{ topic_id: topics[0]?.id ?? null, kind_id: kept[0]?.id ?? null },
    sections: sections.map(heading => ({ heading, text: `${unbroken}\n\n${arabic}\n\n${markup}` })),
    contact: { name: unbroken, phone: null },
    authors: [{ ...author, given: arabic.slice(0, 100), family: unbroken.slice(0, 100) }],
    affiliations: [unbroken, markup],
    answers: { e: `${unbroken}, ${arabic}`, f: markup },
  }
  const { draft_revision: revision } = submission
  await sending.send(tx, submission.id, { ...content, title: arabic }, null, { ...arrival, revision })
  await sending.send(tx, submission.id, content, null, { ...arrival, revision: revision + 1 })
}
