import { ConfigRefused } from '../config.ts'
import { DatabaseDamaged, DatabaseRefused, DatabaseUnavailable } from '../db/port.ts'
import { CertificateRefused } from '../http/certificate.ts'
import { ListenRefused } from '../http/listening.ts'
import { BatchesStopped } from '../organization/batches.ts'
import { Problem } from '../problem.ts'
import { reasonOf } from '../system-error.ts'

/** One line for the person at the terminal about what went wrong. */
export function explainFailure(error: unknown): string {
  // What is quoted from a file may hold line breaks and control characters.
  return sentenceFor(error)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

function sentenceFor(error: unknown): string {
  if (error instanceof BatchesStopped) return `${reasonFor(error.cause)} ${error.message}`
  if (error instanceof DatabaseUnavailable) {
    return `${reasonFor(error)} Nothing was changed; try again shortly.`
  }
  if (SENTENCES.some(kind => error instanceof kind)) return (error as Error).message
  if (!(error instanceof Error)) return String(error)
  return sentenceForSystem(error) ?? `Something went wrong: ${error.message}`
}

function reasonFor(error: unknown): string {
  if (!(error instanceof DatabaseUnavailable)) return sentenceFor(error)
  return `The database is busy, full or failing (${error.message}).`
}

/** Errors whose message is meant for the person at the terminal. */
const SENTENCES = [
  Problem,
  ConfigRefused,
  CertificateRefused,
  ListenRefused,
  DatabaseRefused,
  DatabaseDamaged,
] as const

function sentenceForSystem(error: NodeJS.ErrnoException & { dest?: string }): string | undefined {
  const { code, path } = error
  // Of a copy, it is the disk of the new file that is full.
  const written = error.dest ?? path
  switch (code) {
    case 'ENOENT':
      return path === '' ? 'The name of the file is empty.' : `There is no file ${path}.`
    case 'EISDIR':
      return `${path ?? 'That'} is a folder, not a file.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left on the disk${written === undefined ? '' : ` of ${written}`}. Make room, then try again.`
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be used: ${reasonOf(error)}. Check who owns it, and its rights.`
    default:
      return undefined
  }
}
