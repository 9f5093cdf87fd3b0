import { Problem } from '#base/problem.ts'

/** The most bytes of all files of a server. */
export const MOST_OF_SERVER = 10 * 1024 ** 3

/** The most bytes of all files of an event. */
export const MOST_OF_EVENT = 2 * 1024 ** 3

/** The part of the room that is there for whoever has not confirmed an e-mail yet. */
const UNCONFIRMED = 1 / 4

/** The limits that one file meets. */
export interface Limits {
  /** The most bytes of the file. */
  file: number
  /** The most bytes of all files of the server. */
  server: number
  /** Whether the submitter has confirmed an e-mail. Others get none of the last three quarters of the room. */
  isConfirmed: boolean
}

/**
 * Refuses a file for which there is no room.
 *
 * @param there bytes of the other files
 * @param size of the file, in bytes
 * @throws Problem files_full, with `details.of`
 */
export function refuseFull(
  of: 'event' | 'server',
  { there, size }: { there: number; size: number },
  { server, isConfirmed }: Limits,
): void {
  const most = of === 'event' ? MOST_OF_EVENT : server
  if (there + size > most * (isConfirmed ? 1 : UNCONFIRMED))
    throw new Problem('files_full', { details: { of } })
}
