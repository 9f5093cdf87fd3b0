import pino, { type DestinationStream, type Logger } from 'pino'
import { DatabaseDamaged, DatabaseUnavailable, StatementRefused } from '#machinery/db/port.ts'
import { Refusal } from './refusal.ts'

/** Errors of the machine and its settings. Turnout wrote their messages, and nothing in them came with a request. */
const OWN_WORDS = [Refusal, DatabaseDamaged, DatabaseUnavailable, StatementRefused] as const

/** The most errors to describe in a chain in which each caused the one before. */
const MAX_CAUSES = 4

/** The part of an error that the log keeps. */
export interface ErrorDescription {
  type: string
  /** The code that Node or SQLite gives: `ENOSPC`, `SQLITE_CONSTRAINT_UNIQUE`. */
  code?: string | undefined
  message?: string | undefined
  /** The system call that failed, and its file in `path`. */
  syscall?: string | undefined
  path?: string | undefined
  /** The lines of the stack without the message that it begins with. */
  stack?: string | undefined
  cause?: ErrorDescription | undefined
}

/** Opens a log of JSON lines. It never contains anything that came with a request, not even inside an error. */
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
 * Returns the parts of an error that cannot contain anything from outside. The messages of other errors may contain it:
 * `JSON.parse` quotes the text, and a database quotes its parameters. Properties may contain it too, such as `input` of an
 * invalid URL and `rawPacket` of the HTTP parser.
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

/**
 * Returns the lines of the stack. If the stack does not contain the message, because the message was changed, its end is unknown.
 */
function framesOf({ message, stack = '' }: Error): string | undefined {
  const at = stack.indexOf(message)
  if (at < 0) return undefined
  const lines = stack.slice(at + message.length).split('\n')
  return lines.filter(line => line.startsWith('    at ')).join('\n')
}
