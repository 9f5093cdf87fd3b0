import { ConfigRefused } from '../config.ts'
import { DatabaseDamaged, DatabaseRefused, DatabaseUnavailable } from '../db/port.ts'
import { CertificateRefused } from '../http/certificate.ts'
import { ListenRefused } from '../http/listening.ts'
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
  if (SENTENCES.some(kind => error instanceof kind)) return (error as Error).message
  if (!(error instanceof Error)) return String(error)
  return sentenceForSystem(error) ?? `Something went wrong: ${error.message}`
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

/** @param dest what was written to, where a file is copied */
function sentenceForSystem({
  code,
  path,
  dest = path,
}: NodeJS.ErrnoException & { dest?: string | undefined }): string | undefined {
  switch (code) {
    case 'ENOENT':
      return `There is no file ${path}.`
    case 'EISDIR':
      return `${path ?? 'That'} is a folder, not a file.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left on the disk${dest === undefined ? '' : ` of ${dest}`}. Make room, then try again.`
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be used: permission denied.`
    default:
      return undefined
  }
}
