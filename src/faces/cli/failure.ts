import { describeError, hasOwnWords } from '#base/log.ts'
import { Problem } from '#base/problem.ts'
import { DatabaseUnavailable, StatementRefused } from '#machinery/db/port.ts'
import { reasonOf } from '#machinery/files/system-error.ts'
import { BatchesStopped } from '#product/data-care/organization/batches.ts'
import { othersOf } from '#product/data-care/organization/refusals.ts'

/** Returns the error as one line for the person at the terminal. */
export function explainFailure(error: unknown): string {
  const sentence = sentenceFor(error)
  if (sentence !== undefined) return inOneLine(sentence)
  return inOneLine(error instanceof Error ? `Something went wrong: ${error.message}` : String(error))
}

/** Returns the other faults of a file, one a line. */
export function explainOthers(error: unknown): string[] {
  return error instanceof Problem ? othersOf(error).map(inOneLine) : []
}

/** Returns an error that may belong to a request as one line. The line reveals nothing of an unknown error. */
export function explainCrash(error: unknown): string {
  const sentence = error instanceof Problem ? undefined : sentenceFor(error)
  return inOneLine(sentence ?? `Something went wrong: ${JSON.stringify(describeError(error))}`)
}

/** A text that quotes a file may hold line breaks and control characters. */
function inOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

function sentenceFor(error: unknown): string | undefined {
  if (error instanceof BatchesStopped) return `${reasonFor(error.cause)} ${error.message}`
  if (error instanceof DatabaseUnavailable) {
    return `${reasonFor(error)} Nothing was changed; try again shortly.`
  }
  if (error instanceof StatementRefused) return `Something went wrong: ${error.message}`
  if (error instanceof Problem || hasOwnWords(error)) return error.message
  return error instanceof Error ? sentenceForSystem(error) : undefined
}

function reasonFor(error: unknown): string {
  if (!(error instanceof DatabaseUnavailable)) return explainFailure(error)
  return `The database is busy, full or failing (${error.message}).`
}

function sentenceForSystem(error: NodeJS.ErrnoException): string | undefined {
  const { code, path } = error
  switch (code) {
    case 'ENOENT':
      return path === '' ? 'The name of the file is empty.' : `There is no file ${path}.`
    case 'EISDIR':
      return `${path ?? 'That'} is a folder, not a file.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left on the disk${path === undefined ? '' : ` of ${path}`}. Make room, then try again.`
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be used: ${reasonOf(error)}. Check who owns it, and its rights.`
    default:
      return undefined
  }
}
