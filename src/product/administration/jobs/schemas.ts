import { toIso } from '../time.ts'
import type { JobRow, jobStates } from './store.ts'

export interface Job {
  id: string
  object: 'job'
  event_id: string | null
  kind: string
  /** `preparing`: what it needs is still coming in, and nothing of it is done. */
  state: (typeof jobStates)[number]
  /** What its kind was started with. */
  input: Record<string, unknown>
  done: number
  /** Null where it is not known. */
  total: number | null
  /** What came of it so far; of one that failed, its `code` too. */
  outcome: Record<string, unknown> | null
  /** As the access log names an actor. */
  started_by: string
  created_at: string
  updated_at: string
}

export function presentJob(row: JobRow): Job {
  return {
    id: row.id,
    object: 'job',
    event_id: row.event_id,
    kind: row.kind,
    state: row.state,
    input: JSON.parse(row.input) as Record<string, unknown>,
    done: row.done,
    total: row.total,
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as Record<string, unknown>),
    started_by: row.started_by,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  }
}
