import { Problem } from '#base/problem.ts'

/** The most bytes of all files of an event. */
export const MOST_OF_EVENT = 2 * 1024 ** 3

/** The part of the room that is there for the files of all who have not confirmed an e-mail yet. */
const UNCONFIRMED = 1 / 4

/**
 * The most bytes of the files of a submission that others have replaced. They are kept for a time, and somebody who goes on replacing
 * a file would take the room of all.
 */
export const MOST_REPLACED = 100 * 1024 ** 2

/** The limits that one file meets. */
export interface Limits {
  /** The most bytes of the file. */
  file: number
  /** The most bytes of all files of the server, as whoever runs it has said. */
  server: number
  /** Whether the submitter has confirmed an e-mail. The files of all others together get a quarter of the room. */
  isConfirmed: boolean
}

/** How many bytes an event or the server has. */
export interface Filled {
  /** Of the other files. */
  there: number
  /** Of those among them whose submitters have not confirmed an e-mail. It is read for these alone. */
  unconfirmed: number
}

/**
 * Refuses a file for which there is no room.
 *
 * @param size of the file, in bytes
 * @throws Problem files_full, with `details.of`
 */
export function refuseFull(
  of: 'event' | 'server',
  { there, unconfirmed, size }: Filled & { size: number },
  { server, isConfirmed }: Limits,
): void {
  const most = of === 'event' ? MOST_OF_EVENT : server
  if (there + size > most || (!isConfirmed && unconfirmed + size > most * UNCONFIRMED))
    throw new Problem('files_full', { details: { of } })
}
