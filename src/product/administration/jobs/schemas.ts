import { toIso, toIsoOrNull } from '#base/time.ts'
import type { JobRow, jobStates } from './store.ts'

export interface Job {
  id: string
  object: 'job'
  event_id: string | null
  kind: string
  /** `preparing` means that the input is still coming in and no work is done yet. */
  state: (typeof jobStates)[number]
  /** The input that the job was started with. */
  input: Record<string, unknown>
  done: number
  /** It is null if the total is not known. */
  total: number | null
  /** The outcome so far. A failed job has its `code` here too. */
  outcome: Record<string, unknown> | null
  /** The actor, as the access log names it. */
  started_by: string
  /** No server begins it before this instant. It is null if one begins as soon as it is free. */
  not_before: string | null
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
    not_before: toIsoOrNull(row.not_before),
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  }
}
