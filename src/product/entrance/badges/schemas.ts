import type { BadgeRow } from './store.ts'

/** A badge of a print. */
export interface Badge {
  /** The id of its ticket. */
  id: string
  /** The name of its holder, or else of the buyer. */
  name: string
  typeId: string
  code: string
  /** The answers to the questions of each ticket, by their keys. */
  answers: Readonly<Record<string, string>>
}

export function presentBadge({ id, name, buyer_name, type_id, qr_code, answers }: BadgeRow): Badge {
  return {
    ...{ id, name: name ?? buyer_name, typeId: type_id, code: qr_code },
    answers: JSON.parse(answers) as Record<string, string>,
  }
}
