import pino, { type DestinationStream, type Logger } from 'pino'
import { DatabaseDamaged, DatabaseUnavailable, StatementRefused } from './db/port.ts'
import { Refusal } from './refusal.ts'

/** Errors of the machine and its settings, in words of our own: nothing in them came with a request. */
const OWN_WORDS = [Refusal, DatabaseDamaged, DatabaseUnavailable, StatementRefused] as const

/** How many errors are told of that each were the cause of the one before. */
const MAX_CAUSES = 4

/** What the log keeps of an error. */
export interface ErrorDescription {
  type: string
  /** As Node and SQLite have them: `ENOSPC`, `SQLITE_CONSTRAINT_UNIQUE`. */
  code?: string | undefined
  message?: string | undefined
  /** What was asked of the system, and for which file. */
  syscall?: string | undefined
  path?: string | undefined
  /** Where it happened, without the message that a stack begins with. */
  stack?: string | undefined
  cause?: ErrorDescription | undefined
}

/** A log of JSON lines, in which nothing stands that came with a request, also not inside an error. */
export function openLog(level: string, stream: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => describeError(error) },
    },
    stream,
  )
}

export function hasOwnWords(error: unknown): error is Error {
  return OWN_WORDS.some(kind => error instanceof kind)
}

/**
 * Of an error, what cannot hold what came from outside. Messages of others do: that of `JSON.parse` quotes the text, that of a
 * database its parameters; and so do properties, as `input` of an invalid URL and `rawPacket` of the HTTP parser.
 */
export function describeError(error: unknown, causes = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, errno, syscall, path, cause } = error as NodeJS.ErrnoException
  const isOfSystem = typeof errno === 'number' && typeof syscall === 'string'
  return {
    type: error.constructor.name,
    code: typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined,
    message: hasOwnWords(error) ? error.message : undefined,
    ...(isOfSystem ? { syscall: syscall.split(' ', 1)[0], path } : {}),
    stack: framesOf(error),
    cause: cause === undefined || causes === MAX_CAUSES ? undefined : describeError(cause, causes + 1),
  }
}

/** Where the message is not found in the stack, as it was changed, nobody knows where it ends. */
function framesOf({ message, stack = '' }: Error): string | undefined {
  const at = stack.indexOf(message)
  if (at < 0) return undefined
  const lines = stack.slice(at + message.length).split('\n')
  return lines.filter(line => line.startsWith('    at ')).join('\n')
}
