import { ConfigRefused } from '../config.ts'
import { DatabaseRefused, DatabaseUnavailable } from '../db/port.ts'
import { Problem } from '../problem.ts'

/** One line for the person at the terminal about what went wrong. */
export function explainFailure(error: unknown): string {
  // What is quoted from a file may hold line breaks and control characters.
  return sentenceFor(error)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

function sentenceFor(error: unknown): string {
  if (error instanceof DatabaseUnavailable) {
    return `The database is busy, full or failing (${error.message}). Nothing was changed; try again shortly.`
  }
  if (error instanceof Problem || error instanceof DatabaseRefused || error instanceof ConfigRefused) {
    return error.message
  }
  if (!(error instanceof Error)) return String(error)
  return sentenceForSystem(error) ?? `Something went wrong: ${error.message}`
}

function sentenceForSystem(error: NodeJS.ErrnoException & { address?: string; port?: number }) {
  const place = error.port === undefined ? error.path : `${error.address}:${error.port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `${place} is already in use. Choose another port with --port; 0 picks a free one.`
    case 'EADDRNOTAVAIL':
      return `${error.address} is no address of this machine. Choose another with --host.`
    case 'ENOTFOUND':
      return `--host ${(error as { hostname?: string }).hostname ?? ''} is no name that resolves to an address.`
    case 'ENOENT':
      return `There is no file ${place}.`
    case 'EISDIR':
      return `${place ?? 'That'} is a folder, not a file.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left on the disk${place === undefined ? '' : ` of ${place}`}. Make room, then try again.`
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `${place} may not be used: permission denied.`
    default:
      return undefined
  }
}
