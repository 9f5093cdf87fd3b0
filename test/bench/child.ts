import { type ChildProcess, fork } from 'node:child_process'
import type { AuthorsJob, AuthorsResult } from './authors.ts'
import type { LoadJob, LoadResult } from './load.ts'
import type { RushJob, RushResult } from './rush.ts'

/** A load generator in a process of its own. */
export class LoadProcess {
  readonly #child: ChildProcess = fork('dist/bench/load.cjs', { execArgv: [] })

  async run(job: LoadJob): Promise<LoadResult> {
    const { result, error } = await ask<{ result?: LoadResult; error?: string }>(this.#child, job)
    if (result === undefined) throw new Error(error)
    const unexpected = Object.entries(result.unexpected)
    if (unexpected.length > 0) {
      const found = unexpected.map(([status, count]) => `${count} times ${status}`).join(', ')
      throw new Error(`A load of kind ${job.work.kind} was answered ${found}.`)
    }
    return result
  }

  close(): void {
    end(this.#child)
  }
}

/** A rush of visitors in a process of its own. */
export class RushProcess {
  readonly #child: ChildProcess = fork('dist/bench/rush.cjs', { execArgv: [] })

  async run(job: RushJob): Promise<RushResult> {
    const { result, error } = await ask<{ result?: RushResult; error?: string }>(this.#child, job)
    if (result === undefined) throw new Error(error)
    return result
  }

  close(): void {
    end(this.#child)
  }
}

/** The authors at the end of a call, in a process of their own. */
export class AuthorsProcess {
  readonly #child: ChildProcess = fork('dist/bench/authors.cjs', { execArgv: [] })

  async run(job: AuthorsJob): Promise<AuthorsResult> {
    const { result, error } = await ask<{ result?: AuthorsResult; error?: string }>(this.#child, job)
    if (result === undefined) throw new Error(error)
    return result
  }

  close(): void {
    end(this.#child)
  }
}

/** A network that carries what is sent to a port of this machine some milliseconds late, in a process of its own. */
export class NetworkProcess {
  readonly #child: ChildProcess

  constructor(target: number, delay: number) {
    this.#child = fork('dist/bench/network.cjs', [String(target), String(delay)], { execArgv: [] })
  }

  async port(): Promise<number> {
    return (await next<{ port: number }>(this.#child)).port
  }

  close(): void {
    end(this.#child)
  }
}

/** A receiver of webhooks, or of mails, in a process of its own. */
export class ReceiverProcess {
  readonly #child: ChildProcess

  /** @param program takes webhooks, or mails. */
  constructor(program: 'receiver' | 'mail-receiver' = 'receiver') {
    this.#child = fork(`dist/bench/${program}.cjs`, { execArgv: [] })
  }

  async port(): Promise<number> {
    return (await next<{ port: number }>(this.#child)).port
  }

  async received(): Promise<number> {
    return (await ask<{ received: number }>(this.#child, {})).received
  }

  close(): void {
    end(this.#child)
  }
}

/** A client that still waits for an answer learns from another place what went wrong, and not from this one. */
function end(child: ChildProcess): void {
  child.removeAllListeners('exit')
  child.disconnect()
}

function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const answer = next<Answer>(child)
  child.send(question)
  return answer
}

function next<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: string | null) =>
      reject(new Error(`${child.spawnargs.at(-1)} has ended with ${signal ?? code}.`))
    child.once('exit', ended)
    child.once('message', answer => {
      child.off('exit', ended)
      resolve(answer as Answer)
    })
  })
}
