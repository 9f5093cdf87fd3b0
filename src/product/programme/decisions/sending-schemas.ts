import type { NewCode } from '#product/catalog/codes/schemas.ts'

/** What authors are told beside the decision. Instants are in milliseconds. */
export interface Terms {
  /** Until when authors of what is accepted are asked to confirm. Null asks nobody. */
  confirm_by: number | null
  /** Whether authors may read what reviewers wrote to them. */
  comments: boolean
  /** Whether whoever presents it is mailed too, if that is not the contact. */
  presenters: boolean
  /** The code that each accepted abstract gets, for one ticket. Null gives none. */
  code: Pick<NewCode, 'percent' | 'registration_type_ids' | 'valid_until'> | null
}

/** The input of the job. */
export interface SendingInput extends Terms {
  /** Of those whose language nobody knows. */
  language: 'en' | 'es'
}

/** What the job has done so far. */
export interface SendingOutcome {
  accepted: number
  rejected: number
  /** Mails that were written. */
  mails: number
}
