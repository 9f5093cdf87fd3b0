import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { runRecorded } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as sheets from '#product/administration/sheets/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { add } from '#product/programme/submissions/add.ts'
import { type Judge, judge } from './judge.ts'
import type { Counts, ImportInput, ImportLine, LineDetails } from './schemas.ts'

export const IMPORT_ABSTRACTS = 'abstracts.import'

/** A batch has this many lines at most, and this many bytes of their texts. */
const BATCH = { limit: 20, bytes: 128 * 1024 }

type Settled = Pick<Counts, 'added' | 'known' | 'wrong'>

const NOTHING: Settled = { added: 0, known: 0, wrong: 0 }

/**
 * Adds the lines that were found new, each as a chair adds one by hand. The transaction of an abstract also keeps the fate of its
 * line, and the abstract is known again by its line. So none is added twice, even if the work is cut off or the file comes again.
 */
export const importAbstracts: JobKind = {
  name: IMPORT_ABSTRACTS,
  permission: 'abstracts',
  async run(tx, job, actor) {
    const until = performance.now() + tx.batchTime
    const input = job.input as unknown as ImportInput
    const call = await calls.get(tx, job.event_id ?? '')
    const counts = { ...NOTHING, ...(job.outcome as Partial<Settled> | null) }
    const after = Number(job.position ?? 0)
    const lines = await sheets.list<LineDetails>(tx, job.id, { after, fate: 'new', ...BATCH })
    let { done } = job
    let last = after
    for (const line of lines) {
      const { fate, details } = await addLine(tx, { call, input }, { actor, jobId: job.id, line })
      await sheets.setFate(tx, job.id, { line: line.line, fate, details })
      counts[fate]++
      last = line.line
      done++
      if (performance.now() > until) break
    }
    return { position: String(last), done, finished: lines.length === 0, outcome: { ...counts } }
  },
}

/** Adds one line, or says why it cannot. The call may have changed since the line was looked at. */
async function addLine(
  tx: WriteTx,
  by: Judge,
  { actor, jobId, line }: { actor: Actor; jobId: string; line: ImportLine },
): Promise<{ fate: keyof Settled; details: LineDetails }> {
  const verdict = await judge(tx, by, line)
  if (verdict.fate !== 'new') return { fate: verdict.fate, details: verdict.details }
  const { language, mailed: isMailed } = by.input
  const { email, content, key: formId } = verdict
  // A batch is a write, which waits for no thread, so formulas of a file are shown as they stand in it.
  const formulas = null
  const work = () => add(tx, by.call.event_id, { formId, email, content, formulas, language, isMailed })
  const outcome = await runRecorded(tx, actor, work, {
    action: 'abstract.add',
    targetType: 'abstract',
    targetOf: ({ abstract }) => abstract.id,
    details: () => ({ event_id: by.call.event_id, job_id: jobId }),
  })
  if (outcome.problem === undefined)
    return { fate: 'added', details: { abstract_id: outcome.result.abstract.id } }
  // The event has no room for more: the job ends, and says so.
  throw new Problem(outcome.problem.code)
}
